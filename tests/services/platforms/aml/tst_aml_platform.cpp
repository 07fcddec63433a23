// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against the stand-in for Azure Machine Learning, over TLS.
#include "aml_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestAmlPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<AmlSubject>(Line::tls); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }
};

QTEST_GUILESS_MAIN(TestAmlPlatform)
#include "tst_aml_platform.moc"
