// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against the stand-in for OpenPAI.
#include "openpai_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestOpenPaiPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<OpenPaiSubject>(); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }
};

QTEST_GUILESS_MAIN(TestOpenPaiPlatform)
#include "tst_openpai_platform.moc"
