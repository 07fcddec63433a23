// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against a real Kubernetes of one node.
#include "kubernetes_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestKubernetesPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override { return std::make_unique<KubernetesSubject>(m_node, m_image); }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }

private slots:
    void initTestCase();

private:
    KubernetesNode m_node;
    QString m_image;
};

void TestKubernetesPlatform::initTestCase()
{
    START_NODE(m_node);
    m_image = m_node.image(u"python"_s);
}

QTEST_GUILESS_MAIN(TestKubernetesPlatform)
#include "tst_kubernetes_platform.moc"
