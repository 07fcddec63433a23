// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/engine/platforms/platform_settings.h"
#include "services/secrets/file_secrets.h"
#include "tests/fakes/fake_platform.h"

#include <QCoroTask>
#include <QTemporaryDir>
#include <QTest>

using namespace core;
using namespace Qt::StringLiterals;

class TestPlatformSettings : public QObject
{
    Q_OBJECT
private slots:
    void aRemovedSecretIsGoneFromTheStore();
};

void TestPlatformSettings::aRemovedSecretIsGoneFromTheStore()
{
    const QTemporaryDir folder;
    secrets::FileSecrets store(folder.filePath(u"secrets.json"_s));
    platforms::PlatformRegistry kinds;
    kinds.add([] {
        auto platform = std::make_unique<fakes::FakePlatform>();
        platform->kind = u"lab"_s;
        platform->fields = {platforms::Field{.name = u"host"_s, .type = u"string"_s},
            platforms::Field{.name = u"password"_s, .type = u"string"_s, .secret = true}};
        return platform;
    });
    engine::PlatformSettings settings(folder.path(), store, kinds);
    const PlatformId id(u"a"_s);
    QVERIFY(QDir().mkpath(folder.filePath(u"platforms"_s)));
    const auto write = [&](const Json& wanted, qint64 version) {
        const Result<> written = QCoro::waitFor(settings.write(id, u"lab"_s, wanted, version));
        QVERIFY2(written, written ? "" : qPrintable(written.error().message));
    };
    write({{"host", "h"}, {"password", "very secret"}}, 1);
    const auto kept = QCoro::waitFor(store.read(u"platform/a"_s));
    QVERIFY(kept && kept->has_value());
    QVERIFY((*kept)->contains(u"very secret"_s));
    write({{"host", "h"}}, 2);
    const auto left = QCoro::waitFor(store.read(u"platform/a"_s));
    QVERIFY(left);
    QVERIFY2(!left->has_value(), "what a person removed must not stay at rest");
    const auto full = QCoro::waitFor(settings.withSecrets(id, u"lab"_s, Json{{"host", "h"}}));
    QVERIFY(full);
    QCOMPARE(dumpJson(*full), QByteArray(R"({"host":"h"})"));
}

QTEST_GUILESS_MAIN(TestPlatformSettings)
#include "tst_platform_settings.moc"
