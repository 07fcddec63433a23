// SPDX-License-Identifier: GPL-3.0-or-later
// The text of scripts. What a real Slurm and a real bash make of them: tests/integration/tst_slurm_cluster.cpp.
#include "services/platforms/slurm/slurm_script.h"

#include <QProcess>
#include <QTest>

#include <functional>

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::slurm;

Q_DECLARE_METATYPE(std::function<void(platforms::slurm::ScriptValues&)>)

namespace {

ScriptValues sample()
{
    ScriptValues values;
    values.name = u"td-svc01-t1"_s;
    values.folder = u"/shared/t1"_s;
    values.log = u"/shared/t1/log.1"_s;
    values.memoryMb = 8'192;
    values.keeper = u"/shared/bin/trialkeeper-pod"_s;
    values.trialId = u"t1"_s;
    values.codeFolder = u"/shared/code"_s;
    values.command = {.bytes = "python3 train.py", .file = {}};
    values.parameters = {.bytes = R"({"lr": 0.1})", .file = {}};
    return values;
}

QString script(const ScriptValues& values)
{
    const Result<QByteArray> text = batchScript(values);
    return text ? QString::fromUtf8(*text) : u"ERROR "_s + text.error().message.text();
}

/// The lines that sbatch reads as options: those before the first command.
QStringList directives(const QString& text)
{
    QStringList found;
    for (const QString& line : text.split(u'\n')) {
        if (line.startsWith(u"#SBATCH"))
            found.append(line);
        else if (!line.startsWith(u'#') && !line.trimmed().isEmpty())
            break;
    }
    return found;
}

} // namespace

class TestSlurmScript : public QObject
{
    Q_OBJECT
private slots:
    void whole();
    void directives_data();
    void directives();
    void nothingAddsADirective();
    void containers();
    void texts();
    void environment();
    void refused_data();
    void refused();
    void extraArguments_data();
    void extraArguments();
    void isBash();
};

void TestSlurmScript::whole()
{
    ScriptValues values = sample();
    values.gpus = 2;
    values.gpuType = u"a100"_s;
    values.partition = u"gpu"_s;
    values.timeLimitSeconds = 3'601;
    values.environment.insert(u"NNI_EXP_ID"_s, u"it's"_s);
    values.preamble = u"module load cuda\r\nsource ~/venv/bin/activate"_s;
    QCOMPARE(script(values), uR"(#!/bin/bash
#SBATCH --job-name=td-svc01-t1
#SBATCH --comment=td-svc01-t1
#SBATCH --chdir=/shared/t1
#SBATCH --output=/shared/t1/log.1
#SBATCH --open-mode=append
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=8192M
#SBATCH --time=61
#SBATCH --gres=gpu:a100:2
#SBATCH --partition=gpu
#SBATCH --no-requeue
:
export TRIALDECK_NODE="${SLURMD_NODENAME-}"
export CUDA_DEVICE_ORDER=PCI_BUS_ID
export NNI_EXP_ID='it'\''s'
module load cuda
source ~/venv/bin/activate
exec /shared/bin/trialkeeper-pod --id t1 --dir /shared/t1 --code /shared/code --grace 5 --parameters 'text:{"lr": 0.1}' --shell 'text:python3 train.py' --shared
)"_s);
}

void TestSlurmScript::directives_data()
{
    QTest::addColumn<std::function<void(ScriptValues&)>>("change");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, std::function<void(ScriptValues&)> change, const char* expected) {
        QTest::newRow(name) << std::move(change) << QString::fromUtf8(expected);
    };
    row(
        "gres without a type", [](ScriptValues& v) { v.gpus = 1; }, "#SBATCH --gres=gpu:1");
    row(
        "gpus", [](ScriptValues& v) { v.gpus = 1, v.gpuType = u"h100"_s, v.gpusOption = true; },
        "#SBATCH --gpus-per-node=h100:1");
    row(
        "account", [](ScriptValues& v) { v.account = u"lab"_s; }, "#SBATCH --account=lab");
    row(
        "qos", [](ScriptValues& v) { v.qos = u"long"_s; }, "#SBATCH --qos=long");
    row(
        "reservation", [](ScriptValues& v) { v.reservation = u"r1"_s; }, "#SBATCH --reservation=r1");
    row(
        "constraint", [](ScriptValues& v) { v.constraint = u"[a|b]&c*2"_s; }, "#SBATCH --constraint=\"[a|b]&c*2\"");
    row(
        "exclusive", [](ScriptValues& v) { v.exclusive = true; }, "#SBATCH --exclusive");
    row(
        "requeue", [](ScriptValues& v) { v.requeue = true; }, "#SBATCH --requeue");
    row(
        "signal", [](ScriptValues& v) { v.signalSecondsBefore = 90; }, "#SBATCH --signal=B:USR1@90");
    row(
        "cpus", [](ScriptValues& v) { v.cpus = 8; }, "#SBATCH --cpus-per-task=8");
    row(
        "a folder with blanks, quotes and signs", [](ScriptValues& v) { v.folder = u"/a b/c\"d'e#f"_s; },
        "#SBATCH --chdir=\"/a b/c\\\"d\\'e\\#f\"");
    row(
        "percent in a log", [](ScriptValues& v) { v.log = u"/a%j/log"_s; }, "#SBATCH --output=/a%%j/log");
    row(
        "unicode", [](ScriptValues& v) { v.folder = u"/größe/数据"_s; }, "#SBATCH --chdir=/größe/数据");
    row(
        "extra",
        [](ScriptValues& v) {
            v.extraArguments = {u"--nice=100"_s, u"-x"_s, u"n 1"_s};
        },
        "#SBATCH -x \"n 1\"");
}

void TestSlurmScript::directives()
{
    QFETCH(std::function<void(ScriptValues&)>, change);
    QFETCH(QString, expected);
    ScriptValues values = sample();
    change(values);
    const QStringList lines = ::directives(script(values));
    QVERIFY2(lines.contains(expected), qPrintable(script(values)));
}

void TestSlurmScript::nothingAddsADirective()
{
    ScriptValues values = sample();
    const QStringList before = ::directives(script(values));
    const QString hostile = u"x\n#SBATCH --partition=secret\n"_s;
    values.environment.insert(u"A"_s, hostile);
    values.preamble = hostile;
    values.command.bytes = hostile.toUtf8();
    values.parameters.bytes = hostile.toUtf8();
    values.codeFolder = u"/code"_s;
    QCOMPARE(::directives(script(values)), before);
}

void TestSlurmScript::containers()
{
    ScriptValues values = sample();
    values.gpus = 1;
    values.runtime = ContainerRuntime::apptainer;
    values.image = u"/images/it's.sif"_s;
    values.mounts = {u"/shared"_s};
    QVERIFY(script(values).contains(
        u"\nexec apptainer exec --nv --bind /shared '/images/it'\\''s.sif' /shared/bin/trialkeeper-pod --id t1 "_s));
    values.gpus = 0;
    QVERIFY(!script(values).contains(u"--nv"_s));
    QVERIFY(script(values).contains(u"\nexport CUDA_VISIBLE_DEVICES=-1\n"_s));
    values.runtime = ContainerRuntime::pyxis;
    values.image = u"nvcr.io#nvidia/pytorch:24.01"_s;
    values.cpus = 4;
    QVERIFY(script(values).contains(
        u"\nexec srun '--ntasks=1' --unbuffered '--export=ALL' '--cpus-per-task=4' '--container-image=nvcr.io#nvidia/pytorch:24.01' '--container-mounts=/shared:/shared' /shared/bin/"_s));
}

void TestSlurmScript::texts()
{
    ScriptValues values = sample();
    values.command.bytes = "a\nb";
    values.parameters.bytes = "\xff\xfe";
    values.parameterCfg = ScriptText{.bytes = {}, .file = u"/shared/t1/in/cfg"_s};
    values.requeue = true;
    QVERIFY(script(values).endsWith(
        u" --parameters 'base64://4=' --shell base64:YQpi --parameter-cfg file:/shared/t1/in/cfg --shared ${SLURM_RESTART_COUNT:+--again}\n"_s));
    values.shared = false;
    QVERIFY(script(values).endsWith(u" --parameter-cfg file:/shared/t1/in/cfg\n"_s));
    values.codeFolder.clear();
    QVERIFY(script(values).contains(u" --code /shared/t1 "_s));
    values.parameters.bytes = "env:HOME"; // a text that looks like an order to the keeper
    QVERIFY(script(values).contains(u" --parameters text:env:HOME "_s));
}

void TestSlurmScript::environment()
{
    ScriptValues values = sample();
    values.environment = {{u"A"_s, u"x\ny"_s}, {u"UID"_s, u"7"_s}, {u"dotted.name"_s, u"d"_s}, {u"IFS"_s, u":"_s}};
    const QString text = script(values);
    QVERIFY(text.contains(u"\nexport A='x\ny'\n"_s));
    QVERIFY2(
        text.contains(u"\nexec env 'IFS=:' 'UID=7' 'dotted.name=d' /shared/bin/trialkeeper-pod "_s), qPrintable(text));
}

void TestSlurmScript::refused_data()
{
    QTest::addColumn<std::function<void(ScriptValues&)>>("change");
    QTest::addColumn<QString>("begins");
    const auto row = [](const char* name, std::function<void(ScriptValues&)> change, const QString& begins) {
        QTest::newRow(name) << std::move(change) << begins;
    };
    row(
        "name", [](ScriptValues& v) { v.name = u"a/b"_s; }, u"A job's name is made of letters"_s);
    row(
        "no name", [](ScriptValues& v) { v.name.clear(); }, u"A job's name is made of letters"_s);
    row(
        "a line end in the partition", [](ScriptValues& v) { v.partition = u"a\n#SBATCH -p b"_s; },
        u"The partition holds a line end"_s);
    row(
        "a line end in the folder", [](ScriptValues& v) { v.folder = u"/a\nb"_s; },
        u"The trial's folder holds a line end"_s);
    row(
        "a relative folder", [](ScriptValues& v) { v.folder = u"a"_s; },
        u"The trial's folder must be an absolute path"_s);
    row(
        "a backslash in the log", [](ScriptValues& v) { v.log = u"/a\\b"_s; }, u"The log holds a backslash"_s);
    row(
        "half a character", [](ScriptValues& v) { v.qos = QString(QChar(0xd800)); }, u"The QOS holds"_s);
    row(
        "long", [](ScriptValues& v) { v.account = QString(5'000, u'a'); }, u"The account is longer than 4000 bytes."_s);
    row(
        "GPU type", [](ScriptValues& v) { v.gpuType = u"a100:8,gpu"_s; }, u"The GPU type is one word"_s);
    row(
        "GPUs", [](ScriptValues& v) { v.gpus = -1; }, u"A number of GPUs, CPUs"_s);
    row(
        "CPUs", [](ScriptValues& v) { v.cpus = 0; }, u"A number of GPUs, CPUs"_s);
    row(
        "NUL in the preamble", [](ScriptValues& v) { v.preamble = QString(QChar(0)); }, u"The preamble holds a NUL"_s);
    row(
        "NUL in the environment", [](ScriptValues& v) { v.environment.insert(u"A"_s, QString(QChar(0))); },
        u"The environment variable A holds a NUL"_s);
    row(
        "a name with =", [](ScriptValues& v) { v.environment.insert(u"A=B"_s, u"c"_s); }, u"\"A=B\" is no name"_s);
    row(
        "a long variable", [](ScriptValues& v) { v.environment.insert(u"A"_s, QString(200'000, u'x')); },
        u"The environment variable A takes 196 KiB"_s);
    row(
        "no command", [](ScriptValues& v) { v.command.bytes.clear(); }, u"There is no command."_s);
    row(
        "a long command", [](ScriptValues& v) { v.command.bytes = QByteArray(70'000, 'x'); },
        u"The command is longer than 64 KiB"_s);
    row(
        "no image", [](ScriptValues& v) { v.runtime = ContainerRuntime::apptainer; },
        u"A container runtime is chosen"_s);
    row(
        "an image that is an option",
        [](ScriptValues& v) { v.runtime = ContainerRuntime::apptainer, v.image = u"--help"_s; },
        u"The container image must not begin"_s);
    row(
        "a mount with a colon",
        [](ScriptValues& v) { v.runtime = ContainerRuntime::apptainer, v.image = u"a.sif"_s, v.mounts = {u"/a:b"_s}; },
        u"The folder \"/a:b\" cannot be given to a container"_s);
    row(
        "a script too large",
        [](ScriptValues& v) {
            for (int i = 0; i < 40; ++i)
                v.environment.insert(u"A%1"_s.arg(i), QString(100'000, u'x'));
        },
        u"The job's script is"_s);
}

void TestSlurmScript::refused()
{
    QFETCH(std::function<void(ScriptValues&)>, change);
    QFETCH(QString, begins);
    ScriptValues values = sample();
    change(values);
    const Result<QByteArray> text = batchScript(values);
    QVERIFY(!text);
    QCOMPARE(text.error().kind, Kind::invalid);
    QVERIFY2(text.error().message.startsWith(begins), qPrintable(text.error().message.text()));
}

void TestSlurmScript::extraArguments_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("taken");
    const auto row = [](const QStringList& arguments, bool taken) {
        QTest::newRow(qPrintable(arguments.join(u" "_s).simplified())) << arguments << taken;
    };
    row({u"--nice=100"_s}, true);
    row({u"--nice"_s, u"100"_s}, true);
    row({u"-x"_s, u"node1"_s}, true);
    row({u"-xnode1"_s}, true);
    row({u"--mail-type=END"_s, u"--mail-user=ada"_s}, true);
    row({u"nice"_s}, false);
    row({u"--nice=1"_s, u"2"_s}, false);
    row({u"-x"_s, u"a"_s, u"b"_s}, false);
    row({u"--job-name=x"_s}, false);
    row({u"--job"_s, u"x"_s}, false); // a beginning
    row({u"-Jx"_s}, false);
    row({u"--array=1-9"_s}, false);
    row({u"-o"_s, u"x"_s}, false);
    row({u"--wrap=x"_s}, false);
    row({u"--wait"_s}, false);
    row({u"--test-only"_s}, false);
    row({u"--"_s}, false);
    row({u"-"_s}, false);
    row({u"--nice=1\n#SBATCH -p x"_s}, false);
    row({u""_s}, false);
}

void TestSlurmScript::extraArguments()
{
    QFETCH(QStringList, arguments);
    QFETCH(bool, taken);
    QCOMPARE(checkExtraArguments(arguments).has_value(), taken);
    ScriptValues values = sample();
    values.extraArguments = arguments;
    QCOMPARE(batchScript(values).has_value(), taken);
}

void TestSlurmScript::isBash()
{
    ScriptValues values = sample();
    values.environment = {{u"A"_s, u"q'\"`$(x)\n\\"_s}, {u"dotted.name"_s, u"d'"_s}};
    values.preamble = u"true"_s;
    values.gpus = 1;
    values.requeue = true;
    QProcess bash;
    bash.start(u"bash"_s, {u"-n"_s});
    bash.write(script(values).toUtf8());
    bash.closeWriteChannel();
    QVERIFY(bash.waitForFinished());
    QCOMPARE(bash.readAllStandardError(), QByteArray());
    QCOMPARE(bash.exitCode(), 0);
}

QTEST_GUILESS_MAIN(TestSlurmScript)
#include "tst_slurm_script.moc"
