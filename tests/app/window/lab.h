// SPDX-License-Identifier: GPL-3.0-or-later
// A lab on loopback: real sshds with invented tables of GPUs, a real service whose SSH settings name them, and the window
// attached to it.
#pragma once

#include "app/window/desktop_environment.h"
#include "models/engine_mirror.h"
#include "tests/fakes/test_sshd.h"
#include "tests/fakes/window_test.h"
#include "tests/integration/service_fixture.h"

#include <QApplication>
#include <QDir>

class Lab
{
public:
    Lab()
    {
        service.setEnvironment(QStringLiteral("SSH_AUTH_SOCK"), QString()); // keys are those of the files
        fakes::useTestLook(theme);
    }
    ~Lab()
    {
        window.reset();
        mirror.reset();
        host.reset();
    }

    /// A host of the SSH settings. `smi` is what its nvidia-smi prints, or a script (`#!…`) that prints it; `known`: its key is in
    /// the person's known_hosts.
    TestSshd& addHost(const QString& name, const QByteArray& smi, bool known = true)
    {
        const QString tool = service.folder() + u'/' + name + QStringLiteral("-smi");
        TestSshd::writeFile(tool, smi.startsWith("#!") ? smi : "#!/bin/sh\ncat <<'END'\n" + smi + "\nEND\n");
        QFile::setPermissions(tool, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        hosts.push_back(std::make_unique<TestSshd>(QByteArray(), "TRIALDECK_NVIDIA_SMI=" + tool.toUtf8()));
        TestSshd& sshd = *hosts.back();
        if (!sshd.start())
            qFatal("no sshd");
        m_config += "Host " + name.toUtf8() + "\n  HostName 127.0.0.1\n  Port " + QByteArray::number(sshd.port())
            + "\n  User " + TestSshd::userName().toUtf8() + "\n  IdentityFile " + sshd.userKey().toUtf8() + '\n';
        if (known)
            m_known += sshd.knownHostsLine();
        return sshd;
    }
    /// One that is only named.
    void nameHost(const QString& name, const QByteArray& lines) { m_config += "Host " + name.toUtf8() + '\n' + lines; }

    /// With a service of its own that the window attaches to, or with the window's own engine.
    bool start(bool attached = true)
    {
        const QString home = service.folder() + QStringLiteral("/home");
        QDir().mkpath(home + QStringLiteral("/.ssh"));
        TestSshd::writeFile(home + QStringLiteral("/.ssh/config"), m_config);
        TestSshd::writeFile(home + QStringLiteral("/.ssh/known_hosts"), m_known);
        app::CommandLine line;
        commands::Surroundings around;
        around.workingDirectory = QDir::currentPath();
        if (attached) {
            service.setEnvironment(QStringLiteral("HOME"), home);
            if (!service.start())
                return false;
            const QString token = service.folder() + QStringLiteral("/token");
            TestSshd::writeFile(token, service.token());
            line.options[QStringLiteral("connect")] = {service.url()};
            line.options[QStringLiteral("token-file")] = {token};
        } else {
            qputenv("HOME", home.toUtf8());
            qunsetenv("SSH_AUTH_SOCK");
            around.environment = QProcessEnvironment::systemEnvironment();
            around.programFolder = QStringLiteral(TRIALDECK_BIN_DIR);
            line.options[QStringLiteral("data-dir")] = {service.dataDir()};
        }
        host = std::make_unique<app::DesktopEnvironment>(line, around);
        if (!host->choose())
            return false;
        mirror = std::make_unique<models::EngineMirror>(host->client());
        window = std::make_unique<ui::MainWindow>(*mirror, theme, *host);
        window->setAsksBeforeClosing(false);
        window->resize(1440, 900);
        window->show();
        host->client().start();
        if (!QTest::qWaitFor([this] { return mirror->state().isReady(); }, 30'000))
            return false;
        // The window's own engine can be asked as well.
        const QString endpoint = service.dataDir() + QStringLiteral("/endpoint.json");
        if (attached)
            return true;
        if (!QTest::qWaitFor([&] { return QFile::exists(endpoint); }, 30'000))
            return false;
        const auto url = core::parseJson(TestSshd::readFile(endpoint))->at("url").get<QString>();
        return service.attach("listening on " + url.toUtf8() + '\n', service.dataDir());
    }

    ui::Theme theme;
    ServiceFixture service;
    std::vector<std::unique_ptr<TestSshd>> hosts;
    std::unique_ptr<app::DesktopEnvironment> host;
    std::unique_ptr<models::EngineMirror> mirror;
    std::unique_ptr<ui::MainWindow> window;

private:
    QByteArray m_config;
    QByteArray m_known;
};
