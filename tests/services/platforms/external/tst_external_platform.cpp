// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against the sample for task-spooler.
#include "external_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

namespace {

class SpoolerSubject : public ExternalSubject
{
public:
    SpoolerSubject()
        : ExternalSubject(
            {u"python3"_s, QStringLiteral(TRIALDECK_SOURCE_DIR "/resources/examples/external/task_spooler.py")})
    {
    }
    ~SpoolerSubject() override
    {
        QProcess tsp;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"TS_SOCKET"_s, path(u"socket"_s));
        tsp.setProcessEnvironment(environment);
        tsp.start(u"tsp"_s, {u"-K"_s});
        tsp.waitForFinished();
    }
    Json settings() override
    {
        Json settings = ExternalSubject::settings();
        settings.update({{"socket", path(u"socket"_s).toStdString()}, {"slots", 8}});
        return settings;
    }
};

} // namespace

class TestExternalPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<SpoolerSubject>(); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }
};

QTEST_GUILESS_MAIN(TestExternalPlatform)
#include "tst_external_platform.moc"
