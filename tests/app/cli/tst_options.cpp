// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace app;

namespace {

/// A line as a person writes it; words with spaces stand in double quotes.
QStringList words(const QString& line)
{
    return QProcess::splitCommand(line);
}

QString name(const char* text)
{
    return QString::fromUtf8(text);
}

/// `verb | option=value option | argument argument | command`: what was understood, as one text.
QString understood(const CommandLine& line)
{
    QStringList options;
    for (auto it = line.options.begin(); it != line.options.end(); ++it) {
        const QString value = it->join(u'+');
        options += value.isEmpty() ? it.key() : it.key() + u'=' + value;
    }
    QString text = line.help ? u"help "_s + line.helpTopic : line.verb;
    text += u" | "_s + options.join(u' ') + u" | "_s + line.arguments.join(u' ') + u" | "_s + line.command.join(u',');
    return text.simplified();
}

} // namespace

class TestOptions : public QObject
{
    Q_OBJECT
private slots:
    void understands_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* line, const char* expected) {
            QTest::newRow(line) << name(line) << name(expected).simplified();
        };
        row("", "| | |");
        row("--serve", "| serve | |");
        row("--serve --listen 0.0.0.0:80 --insecure", "| insecure listen=0.0.0.0:80 serve | |");
        row("--serve --tls-cert a --tls-key b", "| serve tls-cert=a tls-key=b | |");
        row("--serve --ingest [::1]:0 --ingest-url https://gateway/way",
            "| ingest=[::1]:0 ingest-url=https://gateway/way serve | |");
        row("--serve --data-dir /x -v", "| data-dir=/x serve verbose | |");
        row("--serve --listen=[::1]:0", "| listen=[::1]:0 serve | |");
        row("--demo", "| demo | |");
        row("--demo --page machines --theme dark", "| demo page=machines theme=dark | |");
        row("--connect http://h:1 --token-file t", "| connect=http://h:1 token-file=t | |");
        row("--screenshot x.png --size 1280x720 --locale zh_CN", "| locale=zh_CN screenshot=x.png size=1280x720 | |");
        row("--version", "| version | |");
        row("--help", "help | help | |");
        row("-h", "help | help | |");
        row("list --help", "help list | help | |");
        row("platform --help", "help platform | help | |");
        row("platform add -h", "help platform add | help | |");
        row("help", "help | | |");
        row("help run", "help run | | run |");
        row("help platform add", "help platform add | | platform add |");
        row("help machine", "help machine | | machine |");
        row("list", "list | | |");
        row("list -q", "list | quiet | |");
        row("-q list", "list | quiet | |");
        row("--json list --limit 5", "list | json limit=5 | |");
        row("list --limit=5 --json", "list | json limit=5 | |");
        row("--url http://h:1 --token-file t list", "list | token-file=t url=http://h:1 | |");
        row("list -s failed -s running", "list | status=FAILED+RUNNING | |");
        row("list --status USER_CANCELED", "list | status=USER_CANCELED | |");
        row("list --status early-stopped", "list | status=EARLY_STOPPED | |");
        row("list -e e1 --sort parameters.lr --order asc", "list | experiment=e1 order=asc sort=parameters.lr | |");
        row("show t12", "show | | t12 |");
        row("show @last --json", "show | json | @last |");
        row("why 12", "why | | 12 |");
        row("cancel t1 t2 -y", "cancel | yes | t1 t2 |");
        row("cancel -e e1 --early-stopped --dry-run", "cancel | dry-run early-stopped experiment=e1 | |");
        row("retry --experiment e1 --status FAILED --on gpu", "retry | experiment=e1 on=gpu status=FAILED | |");
        row("wait 1 2 3 --timeout 2.5", "wait | timeout=2.5 | 1 2 3 |");
        row("metrics t1 -f", "metrics | follow | t1 |");
        row("logs", "logs | | |");
        row("logs -f", "logs | follow | |");
        row("logs t1 --stderr -n 10", "logs | stderr tail=10 | t1 |");
        row("logs t1 -n10", "logs | tail=10 | t1 |");
        row("logs -fq t1", "logs | follow quiet | t1 |");
        row("logs t1 --tail 0", "logs | tail=0 | t1 |");
        row("pull t1", "pull | | t1 |");
        row("pull t1 model/best.bin", "pull | | t1 model/best.bin |");
        row("pull -- -odd", "pull | | -odd |");
        row("run -- true", "run | | | true");
        row("run -- python3 train.py --lr {lr} -q --json", "run | | | python3,train.py,--lr,{lr},-q,--json");
        row("run lr=log:1e-4..1e-1 b=1,2 --sample 20 --wait -- ./t {args}",
            "run | sample=20 wait | lr=log:1e-4..1e-1 b=1,2 | ./t,{args}");
        row("run -n 3 -c 2 -- x", "run | concurrency=2 sample=3 | | x");
        row("run --grid a=1,2 -- x --", "run | grid | a=1,2 | x,--");
        row("run --gpus 0 --minimize loss -- x", "run | gpus=0 minimize=loss | | x");
        row("run --gpus 1 --gpus 2 -- x", "run | gpus=2 | | x");
        row("run --tag a --tag b -- x", "run | tag=a+b | | x");
        row("run -w -- \"a b\"", "run | wait | | a b");
        row("submit -e e1 -p {} -p {\\\"a\\\":1}", "submit | experiment=e1 parameters={}+{\\a\\:1} | |");
        row("submit --experiment @last --priority -5 --hold", "submit | experiment=@last hold priority=-5 | |");
        row("experiment create f.json --on x --dry-run", "experiment create | dry-run on=x | f.json |");
        row("experiment list", "experiment list | | |");
        row("experiment show e1", "experiment show | | e1 |");
        row("experiment set e1 trialConcurrency=4 maxTrialNumber=none",
            "experiment set | | e1 trialConcurrency=4 maxTrialNumber=none |");
        row("experiment pause e1", "experiment pause | | e1 |");
        row("experiment resume e1", "experiment resume | | e1 |");
        row("experiment stop e1 --yes", "experiment stop | yes | e1 |");
        row("experiment cleanup e1", "experiment cleanup | | e1 |");
        row("experiment delete e1 -y", "experiment delete | yes | e1 |");
        row("experiment stop e1 --force", "experiment stop | force | e1 |");
        row("experiment cleanup e1 --force", "experiment cleanup | force | e1 |");
        row("experiment delete e1 --force", "experiment delete | force | e1 |");
        row("platform list", "platform list | | |");
        row("platform add local gpuIndices=0,1 --replace", "platform add | replace | local gpuIndices=0,1 |");
        row("platform add p.json --id x", "platform add | id=x | p.json |");
        row("platform check local", "platform check | | local |");
        row("platform remove x", "platform remove | | x |");
        row("machine list", "machine list | | |");
        row("machine add a@b c", "machine add | | a@b c |");
        row("machine add --from-ssh-config --no-check", "machine add | from-ssh-config no-check | |");
        row("machine trust m --yes", "machine trust | yes | m |");
        row("machine check m", "machine check | | m |");
        row("machine drain m", "machine drain | | m |");
        row("machine undrain m", "machine undrain | | m |");
        row("gpus --json", "gpus | json | |");
        row("events", "events | | |");
        row("events --since abc.12 -f", "events | follow since=abc.12 | |");
        row("prompts", "prompts | | |");
        row("answer p1 --accept --no-remember", "answer | accept no-remember | p1 |");
        row("service install", "service install | | |");
        row("service status", "service status | | |");
        row("service stop", "service stop | | |");
        row("completion bash", "completion | | bash |");
        row("--no-start --data-dir d list", "list | data-dir=d no-start | |");
        row("metrics -5", "metrics | | -5 |");
    }
    void understands()
    {
        QFETCH(QString, line);
        QFETCH(QString, expected);
        const Result<CommandLine> parsed = parseCommandLine(words(line));
        QVERIFY2(parsed, parsed ? "" : qPrintable(parsed.error().message));
        QCOMPARE(understood(*parsed), expected);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("part"); // of the message
        const auto row = [](const char* line, const char* part) { QTest::newRow(line) << name(line) << name(part); };
        row("lst", "Did you mean `trialdeck list`?");
        row("frobnicate", "There is no verb `frobnicate`. `trialdeck --help`");
        row("experimnt list", "Did you mean `trialdeck experiment`?");
        row("platform ad", "Did you mean `trialdeck platform add`?");
        row("drain m", "Did you mean `trialdeck machine drain`?");
        row("platform", "needs one of: list, add, check, retry, remove");
        row("machine", "needs one of: list, add, trust, check, drain, undrain, remove");
        row("machine forget x", "There is no verb `machine forget`");
        row("service restart", "There is no verb `service restart`");
        row("list --jsn", "Did you mean `--json`?");
        row("list --follow", "has no option --follow");
        row("--limit 5 list", "Options of a verb stand behind it");
        row("list -x", "no option -x");
        row("list extra", "takes no argument, but `extra`");
        row("show", "needs: ID");
        row("show a b", "`b` is too much");
        row("list --limit", "--limit takes a value: N");
        row("list --limit zero", "whole number, 1 or more, not `zero`");
        row("list --limit 0", "1 or more");
        row("list --limit -3", "1 or more");
        row("list --json=yes", "--json takes no value");
        row("list -s done", "--status takes one of UNKNOWN WAITING RUNNING");
        row("logs --tail -1", "0 or more");
        row("logs --stderr --name x", "exclude each other");
        row("wait 1 --timeout 0", "seconds above 0");
        row("wait 1 --timeout nan", "seconds above 0");
        row("wait 1 --timeout soon", "seconds above 0");
        row("run", "needs the command behind `--`");
        row("run lr=1,2", "needs the command behind `--`");
        row("run --", "no command behind `--`");
        row("run --sample 3 --grid -- x", "exclude each other");
        row("run --maximize a --minimize b -- x", "exclude each other");
        row("run --code . --no-code -- x", "exclude each other");
        row("run --in-place --no-code -- x", "exclude each other");
        row("run --sample 0 -- x", "1 or more");
        row("run --gpus two -- x", "0 or more, not `two`");
        row("run --on= -- x", "must not be empty");
        row("run --metric -- x", "--metric takes a value");
        row("submit", "needs --experiment E");
        row("completion", "needs: (bash | zsh | fish)");
        row("completion tcsh", "takes one of bash, zsh, fish, not `tcsh`");
        row("experiment set e1", "needs: E NAME=VALUE");
        row("help lisst", "Did you mean `trialdeck help list`?");
        row("-- list x y z", "takes no argument");
        row("--", "stands only behind `trialdeck run`");
        row("--serve --demo", "exclude each other");
        row("--listen 1.2.3.4:5", "--listen needs --serve");
        row("--insecure", "--insecure needs --serve");
        row("--serve --listen 8643", "write ADDR:PORT");
        row("--serve --listen host:99999", "write ADDR:PORT");
        row("--serve --listen ::1:80", "write ADDR:PORT");
        row("--serve --tls-cert a", "go together");
        row("--ingest 127.0.0.1:0", "--ingest needs --serve");
        row("--serve --ingest 8650", "ADDR:PORT");
        row("--serve --ingest-url http://gateway", "--ingest-url needs --ingest");
        row("--serve --ingest 127.0.0.1:0 --ingest-url gateway", "such as http://gateway:8650");
        row("--serve --ingest 127.0.0.1:0 --ingest-url ftp://gateway", "such as http://gateway:8650");
        row("--serve --ingest 127.0.0.1:0 --ingest-url http://a:b@gateway", "such as http://gateway:8650");
        row("--serve --ingest 127.0.0.1:0 --ingest-url http://gateway/?x", "such as http://gateway:8650");
        row("--serve --tls-cert a --tls-key b --insecure", "exclude each other");
        row("--serve --url http://x", "--url names a service that runs already");
        row("list --serve", "has no option --serve");
        row("--serve --screenshot x.png", "--screenshot is for the window");
        row("--connect http://h:1", "--connect needs --token-file");
        row("--connect http://h:1 --token-file t --demo", "exclude each other");
        row("--theme blue", "--theme takes light or dark, not `blue`");
        row("--size 1440", "--size takes WIDTHxHEIGHT");
        row("--size 10x10", "--size takes WIDTHxHEIGHT");
        row("answer p --accept --reject", "exclude each other");
        row("--data-dir", "--data-dir takes a value: DIR");
    }
    void refuses()
    {
        QFETCH(QString, line);
        QFETCH(QString, part);
        const Result<CommandLine> parsed = parseCommandLine(words(line));
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().kind, core::Kind::invalid);
        QVERIFY2(parsed.error().message.contains(part), qPrintable(parsed.error().message));
    }

    /// Every option of every verb, taken from the table: it is understood there, long, with `=`, and by its letter.
    void tableIsConsistent_data()
    {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("option");
        for (const VerbSpec& verb : verbTable()) {
            for (const OptionSpec& option : verb.options)
                QTest::addRow("%s --%s", verb.name, option.name) << name(verb.name) << name(option.name);
            for (const OptionSpec& option : globalOptions())
                QTest::addRow("%s --%s (global)", verb.name, option.name) << name(verb.name) << name(option.name);
        }
    }
    void tableIsConsistent()
    {
        QFETCH(QString, verb);
        QFETCH(QString, option);
        const VerbSpec* spec = findVerb(verb);
        QVERIFY(spec);
        const OptionSpec* found = nullptr;
        int sameLetter = 0;
        const auto look = [&](const std::vector<OptionSpec>& list) {
            for (const OptionSpec& candidate : list)
                if (name(candidate.name) == option)
                    found = &candidate;
        };
        look(spec->options);
        look(globalOptions());
        QVERIFY(found);
        for (const auto* list : {&spec->options, &globalOptions()})
            for (const OptionSpec& candidate : *list)
                sameLetter += found->letter && candidate.letter == found->letter;
        QVERIFY2(!found->letter || sameLetter == 1, "two options share a letter");
        QVERIFY(*found->help);
        if (option == u"help"_s || option == u"version"_s || verb == u"help"_s)
            return;

        static const QMap<ValueType, QString> values = {{ValueType::text, u"abc"_s}, {ValueType::file, u"f"_s},
            {ValueType::folder, u"d"_s}, {ValueType::count, u"0"_s}, {ValueType::positive, u"7"_s},
            {ValueType::seconds, u"1.5"_s}, {ValueType::status, u"FAILED"_s}, {ValueType::listen, u"127.0.0.1:0"_s}};
        const QString value = values.value(found->type);
        QStringList base = verb.split(u' ');
        for (const OptionSpec& needed : spec->options)
            if (needed.required && name(needed.name) != option)
                base += {u"--"_s + name(needed.name), u"e1"_s};
        for (int i = 0; i < spec->least; ++i)
            base += verb == u"completion"_s ? u"bash"_s : u"a=%1"_s.arg(i);
        const QStringList tail = spec->command ? QStringList{u"--"_s, u"cmd"_s} : QStringList();
        QList<QStringList> spellings;
        if (found->type == ValueType::flag) {
            spellings = {{u"--"_s + option}};
            if (found->letter)
                spellings += QStringList{u"-%1"_s.arg(QLatin1Char(found->letter))};
        } else {
            spellings = {{u"--"_s + option, value}, {u"--%1=%2"_s.arg(option, value)}};
            if (found->letter)
                spellings += QList<QStringList>{{u"-%1"_s.arg(QLatin1Char(found->letter)), value},
                    {u"-%1%2"_s.arg(QLatin1Char(found->letter)).arg(value)}};
        }
        for (const QStringList& spelling : std::as_const(spellings)) {
            const Result<CommandLine> parsed = parseCommandLine(base + spelling + tail);
            QVERIFY2(parsed, parsed ? "" : qPrintable(parsed.error().message));
            QCOMPARE(parsed->verb, verb);
            QCOMPARE(parsed->value(option), value);
        }
    }

    void readsNumbers()
    {
        const Result<CommandLine> parsed = parseCommandLine({u"wait"_s, u"1"_s, u"--timeout"_s, u"0.25"_s});
        QCOMPARE(parsed->seconds(u"timeout"_s), std::optional(0.25));
        QCOMPARE(parsed->number(u"limit"_s), std::nullopt);
        QCOMPARE(parsed->value(u"order"_s, u"desc"_s), u"desc"_s);
    }

    void helpNamesEverything()
    {
        const QString program = helpText({}, u"trialdeck"_s);
        for (const VerbSpec& verb : verbTable()) {
            QVERIFY2(program.contains(name(verb.name)), verb.name);
            const QString help = helpText(name(verb.name), u"trialdeckd"_s);
            QVERIFY(help.startsWith(u"Usage: trialdeckd "_s + name(verb.name)));
            QVERIFY(help.contains(name(verb.summary)));
            for (const OptionSpec& option : verb.options)
                QVERIFY2(help.contains(u"--"_s + name(option.name)), option.name);
            for (const QString& line : help.split(u'\n'))
                QVERIFY2(line.size() <= 130, qPrintable(line));
        }
        QVERIFY(program.contains(u"3 service not reached"_s));
        QVERIFY(helpText(u"platform"_s, u"trialdeck"_s).contains(u"platform remove"_s));
        QVERIFY(!helpText(u"platform"_s, u"trialdeck"_s).contains(u"machine list"_s));
    }

    void nearestFindsSlips_data()
    {
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("expected");
        QTest::newRow("swap") << u"lsit"_s << u"list"_s;
        QTest::newRow("missing") << u"cancl"_s << u"cancel"_s;
        QTest::newRow("beginning") << u"exp"_s << u"experiment"_s;
        QTest::newRow("case") << u"LIST"_s << u"list"_s;
        QTest::newRow("far") << u"zebra"_s << QString();
        QTest::newRow("short") << u"x"_s << QString();
    }
    void nearestFindsSlips()
    {
        QFETCH(QString, word);
        QFETCH(QString, expected);
        QCOMPARE(nearest(word, {u"list"_s, u"cancel"_s, u"experiment"_s, u"wait"_s}), expected);
    }

    void listenAddresses_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        QTest::newRow("v4") << u"127.0.0.1:8643"_s << u"127.0.0.1"_s << 8643;
        QTest::newRow("any") << u"0.0.0.0:0"_s << u"0.0.0.0"_s << 0;
        QTest::newRow("v6") << u"[::]:443"_s << u"::"_s << 443;
        QTest::newRow("localhost") << u"localhost:1"_s << u"127.0.0.1"_s << 1;
        QTest::newRow("no port") << u"127.0.0.1"_s << QString() << -1;
        QTest::newRow("no host") << u":80"_s << QString() << -1;
        QTest::newRow("name") << u"example.org:80"_s << QString() << -1;
        QTest::newRow("negative") << u"127.0.0.1:-1"_s << QString() << -1;
        QTest::newRow("big") << u"127.0.0.1:65536"_s << QString() << -1;
        QTest::newRow("bare v6") << u"::1:80"_s << QString() << -1;
    }
    void listenAddresses()
    {
        QFETCH(QString, text);
        QFETCH(QString, host);
        QFETCH(int, port);
        const Result<ListenAddress> address = parseListenAddress(text);
        QCOMPARE(address.has_value(), port >= 0);
        if (address)
            QCOMPARE(*address, (ListenAddress{host, quint16(port)}));
    }

    void completesInBash_data()
    {
        QTest::addColumn<QStringList>("typed");
        QTest::addColumn<QStringList>("wanted");
        QTest::addColumn<QString>("unwanted");
        QTest::newRow("verbs") << QStringList{} << QStringList{u"list"_s, u"platform"_s, u"run"_s, u"--serve"_s}
                               << u"add"_s;
        QTest::newRow("noun") << QStringList{u"platform"_s} << QStringList{u"add"_s, u"check"_s} << u"list-x"_s;
        QTest::newRow("options") << QStringList{u"logs"_s} << QStringList{u"--follow"_s, u"--tail"_s, u"--json"_s}
                                 << u"--grid"_s;
        QTest::newRow("two words") << QStringList{u"platform"_s, u"add"_s} << QStringList{u"--replace"_s}
                                   << u"--follow"_s;
        QTest::newRow("after a value") << QStringList{u"--data-dir"_s, u"run"_s, u"list"_s} << QStringList{u"--limit"_s}
                                       << u"--grid"_s;
        QTest::newRow("words") << QStringList{u"completion"_s} << QStringList{u"bash"_s, u"zsh"_s, u"fish"_s}
                               << u"tcsh"_s;
    }
    void completesInBash()
    {
        QFETCH(QStringList, typed);
        QFETCH(QStringList, wanted);
        QFETCH(QString, unwanted);
        if (QStandardPaths::findExecutable(u"bash"_s).isEmpty())
            QSKIP("no bash here");
        const QString line = (QStringList{u"trialdeck"_s} + typed + QStringList{u"''"_s}).join(u' ');
        QProcess bash;
        bash.start(u"bash"_s,
            {u"-c"_s,
                completionScript(u"bash"_s)
                    + u"\nCOMP_WORDS=(%1); COMP_CWORD=%2; _trialdeck; echo ${COMPREPLY[@]}"_s.arg(line).arg(
                        typed.size() + 1)});
        QVERIFY(bash.waitForFinished());
        QCOMPARE(bash.readAllStandardError(), QByteArray());
        const QStringList offered = QString::fromUtf8(bash.readAllStandardOutput()).simplified().split(u' ');
        for (const QString& word : wanted)
            QVERIFY2(offered.contains(word), qPrintable(word + u" not in "_s + offered.join(u' ')));
        QVERIFY2(!offered.contains(unwanted), qPrintable(unwanted));
    }

    void completionsAreWholeScripts()
    {
        const QString zsh = completionScript(u"zsh"_s);
        QVERIFY(zsh.startsWith(u"#compdef trialdeck trialdeckd"_s));
        const QString fish = completionScript(u"fish"_s);
        QVERIFY(fish.contains(u"complete -c trialdeckd"_s));
        for (const VerbSpec& verb : verbTable())
            for (const OptionSpec& option : verb.options)
                QVERIFY2(fish.contains(u"-l "_s + name(option.name)), option.name);
        QVERIFY(completionScript(u"tcsh"_s).isEmpty());
        if (const QString shell = QStandardPaths::findExecutable(u"zsh"_s); !shell.isEmpty()) {
            QProcess check;
            check.start(shell, {u"-nc"_s, zsh});
            QVERIFY(check.waitForFinished());
            QCOMPARE(check.exitCode(), 0);
        }
        if (const QString shell = QStandardPaths::findExecutable(u"fish"_s); !shell.isEmpty()) {
            QProcess check;
            check.start(shell, {u"-nc"_s, fish});
            QVERIFY(check.waitForFinished());
            QCOMPARE(check.exitCode(), 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestOptions)
#include "tst_options.moc"
