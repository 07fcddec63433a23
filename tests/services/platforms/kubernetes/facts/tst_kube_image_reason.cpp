// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/kubernetes/facts/image_reason.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace platforms::kubernetes;

class TestKubeImageReason : public QObject
{
    Q_OBJECT
private slots:
    void sentences_data();
    void sentences();
    void namesMayHoldAnyWord();
    void otherWordsAreNotOfImages();
};

void TestKubeImageReason::sentences_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QString>("beginning");
    QTest::addColumn<QString>("cause");
    QTest::addColumn<bool>("needsAPerson");
    const auto row = [](const char* name, const char* word, const char* message, const char* beginning,
                         const char* cause, bool needsAPerson) {
        QTest::newRow(name) << QString::fromLatin1(word) << QString::fromUtf8(message) << QString::fromUtf8(beginning)
                            << QString::fromUtf8(cause) << needsAPerson;
    };
    row("not found", "ErrImagePull",
        "rpc error: code = NotFound desc = failed to pull and unpack image \"images.example/lab/train:3\": "
        "images.example/lab/train:3: not found",
        "The registry has no image images.example/lab/train:3. Correct its name or its tag.",
        "(failed to pull and unpack image \"images.example/lab/train:3\": images.example/lab/train:3: not found)",
        true);
    row("manifest", "ErrImagePull", "manifest for lab/train:3 not found: manifest unknown: manifest unknown",
        "The registry has no image images.example/lab/train:3.", "manifest unknown)", true);
    row("perhaps", "ErrImagePull",
        "rpc error: code = Unknown desc = Error response from daemon: pull access denied for lab/train, repository "
        "does not exist "
        "or may require 'docker login'",
        "The registry has no image images.example/lab/train:3, or shows it only to who has signed in.", "docker login",
        true);
    row("no access", "ErrImagePull",
        "failed to authorize: failed to fetch oauth token: unexpected status: 403 Forbidden",
        "The registry does not let the cluster have the image images.example/lab/train:3. Set an image pull secret "
        "that may.",
        "403 Forbidden", true);
    row("no name", "ErrImagePull", "dial tcp: lookup registry.lab on 10.96.0.10:53: no such host",
        "The registry of the image images.example/lab/train:3 does not answer its node.", "no such host", false);
    row("silence", "ErrImagePull", "Get \"https://images.example/v2/\": dial tcp 1.2.3.4:443: i/o timeout",
        "The registry of the image images.example/lab/train:3 does not answer its node.", "i/o timeout", false);
    row("unavailable", "RegistryUnavailable", "",
        "The registry of the image images.example/lab/train:3 does not answer its node.", "(RegistryUnavailable)",
        false);
    row("certificate", "ErrImagePull",
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
        "The node does not trust the registry of the image images.example/lab/train:3.", "x509", true);
    row("limit", "ErrImagePull", "429 Too Many Requests - toomanyrequests: You have reached your pull rate limit.",
        "The registry limits how often images are downloaded", "429", false);
    row("processor", "ErrImagePull", "no match for platform in manifest: not found",
        "The image images.example/lab/train:3 is not there for the processor of its node.", "no match for platform",
        true);
    row("disk", "ErrImagePull", "write /var/lib/containerd/x: no space left on device", "The disk of its node is full",
        "no space left", false);
    row("back-off", "ImagePullBackOff", "",
        "The image images.example/lab/train:3 cannot be downloaded. It is tried again.", "", false);
    row("invalid", "InvalidImageName", "couldn't parse image reference",
        "\"images.example/lab/train:3\" is no name of an image. Correct it in the settings.", "", true);
    row("never", "ErrImageNeverPull", "Container image is not present with pull policy of Never",
        "Its node does not have the image images.example/lab/train:3 and may not download it (imagePullPolicy: Never).",
        "", true);
    row("inspect", "ImageInspectError", "Failed to inspect image",
        "Its node cannot read the image images.example/lab/train:3", "Failed to inspect image", true);
    row("signature", "SignatureValidationFailed", "no signature",
        "The signature of the image images.example/lab/train:3 is not accepted", "no signature", true);
}

void TestKubeImageReason::sentences()
{
    QFETCH(QString, word);
    QFETCH(QString, message);
    QFETCH(QString, beginning);
    QFETCH(QString, cause);
    QFETCH(bool, needsAPerson);
    const WaitingReason reason = imageReason(word, u"images.example/lab/train:3"_s, message);
    QVERIFY2(reason.message.startsWith(beginning), qPrintable(reason.message.text()));
    QVERIFY2(reason.message.contains(cause), qPrintable(reason.message.text()));
    QCOMPARE(reason.needsAPerson, needsAPerson);
}

void TestKubeImageReason::namesMayHoldAnyWord()
{
    const QString image = u"docker.io/denied/certificate-timeout:503"_s;
    const WaitingReason reason = imageReason(u"ErrImagePull"_s, image, image + u": not found"_s);
    QCOMPARE(reason.message.text(),
        u"The registry has no image %1. Correct its name or its tag. (%1: not found)"_s.arg(image));
}

void TestKubeImageReason::otherWordsAreNotOfImages()
{
    for (const QString& word : {u""_s, u"ContainerCreating"_s, u"CreateContainerConfigError"_s})
        QVERIFY2(imageReason(word, u"x"_s, u"not found"_s).message.isEmpty(), qPrintable(word));
}

QTEST_APPLESS_MAIN(TestKubeImageReason)
#include "tst_kube_image_reason.moc"
