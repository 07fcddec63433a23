// SPDX-License-Identifier: GPL-3.0-or-later
// Runs verbs against a FakeService and keeps what they say.
#pragma once

#include "app/commands/context.h"
#include "app/commands/verbs.h"
#include "tests/fakes/fake_service.h"

#include <QFile>
#include <QTemporaryDir>

#include <functional>

struct Outcome
{
    int exit = -1;
    QString out;
    QString err;
};

class Harness
{
public:
    Harness()
    {
        m_environment.insert(QStringLiteral("HOME"), m_folder.path());
        m_environment.insert(QStringLiteral("PATH"), QStringLiteral("/usr/bin:/bin"));
        QFile token(m_folder.filePath(QStringLiteral("token")));
        if (token.open(QIODevice::WriteOnly))
            token.write("secret\n");
        m_surroundings = {m_environment, m_folder.path(), m_folder.path(), QStringLiteral("trialdeck"), {}};
    }

    /// Runs `arguments` against the fake service, by --url and --token-file.
    Outcome run(QStringList arguments)
    {
        const qsizetype dashes = arguments.indexOf(QStringLiteral("--"));
        const QStringList service{QStringLiteral("--url"), fake.url(), QStringLiteral("--token-file"),
            m_folder.filePath(QStringLiteral("token"))};
        const qsizetype at = dashes < 0 ? arguments.size() : dashes;
        arguments = arguments.mid(0, at) + service + arguments.mid(at);
        return runAsIs(arguments);
    }

    /// With `work` that in place of the verb.
    Outcome runAsIs(const QStringList& arguments, const std::function<int(commands::Context&)>& work = {})
    {
        const app::Result<app::CommandLine> line = app::parseCommandLine(arguments);
        if (!line)
            return {commands::exits::usage, {}, line.error().message};
        app::Console::Settings settings = console;
        settings.json = line->has(QStringLiteral("json"));
        settings.quiet = line->has(QStringLiteral("quiet"));
        QByteArray out;
        QByteArray err;
        app::Console output(
            settings, [&](QByteArrayView b) { out.append(b); }, [&](QByteArrayView b) { err.append(b); },
            [this](bool) -> std::optional<QString> {
                if (answers.isEmpty())
                    return std::nullopt;
                return answers.takeFirst();
            });
        commands::Context context(*line, output, m_surroundings);
        Outcome outcome;
        outcome.exit = work        ? work(context)
            : line->verb.isEmpty() ? commands::demo(context)
                                   : commands::runVerb(context);
        outcome.out = QString::fromUtf8(out);
        outcome.err = QString::fromUtf8(err);
        return outcome;
    }

    [[nodiscard]] QString path(const QString& name) const { return m_folder.filePath(name); }
    void writeFile(const QString& name, const QByteArray& text) const
    {
        QFile file(path(name));
        if (file.open(QIODevice::WriteOnly))
            file.write(text);
    }
    [[nodiscard]] QByteArray readFile(const QString& name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    commands::Surroundings& surroundings() { return m_surroundings; }

    FakeService fake;
    app::Console::Settings console; ///< no terminal
    QStringList answers;            ///< what the person types

private:
    QTemporaryDir m_folder;
    QProcessEnvironment m_environment;
    commands::Surroundings m_surroundings;
};
