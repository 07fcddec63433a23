// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against the stand-in for DLTS.
#include "dlts_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestDltsPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<DltsSubject>(); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }
};

QTEST_GUILESS_MAIN(TestDltsPlatform)
#include "tst_dlts_platform.moc"
