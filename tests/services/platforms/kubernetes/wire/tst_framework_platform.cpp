// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against a real Kubernetes of one node, with trials as Frameworks of a real FrameworkController.
#include "kubernetes_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestFrameworkPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override
    {
        return std::make_unique<KubernetesSubject>(
            m_node, m_image, u"frameworkcontroller"_s, u"frameworks.frameworkcontroller.microsoft.com"_s);
    }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }

private slots:
    void initTestCase();

private:
    KubernetesNode m_node;
    QString m_image;
};

void TestFrameworkPlatform::initTestCase()
{
    START_NODE(m_node, {u"--operator=framework"_s});
    m_image = m_node.image(u"python"_s);
}

QTEST_GUILESS_MAIN(TestFrameworkPlatform)
#include "tst_framework_platform.moc"
