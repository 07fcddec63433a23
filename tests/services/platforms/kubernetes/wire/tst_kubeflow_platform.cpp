// SPDX-License-Identifier: GPL-3.0-or-later
// The conformance suite against a real Kubernetes of one node, with trials as PyTorchJobs of a real Training Operator.
#include "kubernetes_subject.h"

using namespace Qt::StringLiterals;
using namespace platform_test;

class TestKubeflowPlatform : public ConformanceTest
{
    Q_OBJECT
public:
    std::unique_ptr<Subject> makeSubject() override
    {
        return std::make_unique<KubernetesSubject>(m_node, m_image, u"kubeflow"_s, u"pytorchjobs.kubeflow.org"_s);
    }

protected:
    QByteArray parameterOf(const TrialId&, int) override { return {}; }

private slots:
    void initTestCase();

private:
    KubernetesNode m_node;
    QString m_image;
};

void TestKubeflowPlatform::initTestCase()
{
    START_NODE(m_node, {u"--operator=training"_s});
    m_image = m_node.image(u"python"_s);
}

QTEST_GUILESS_MAIN(TestKubeflowPlatform)
#include "tst_kubeflow_platform.moc"
