// SPDX-License-Identifier: GPL-3.0-or-later
#include "services/platforms/container_script.h"

#include <QTest>

using namespace platforms;
using namespace Qt::StringLiterals;

class TestContainerScript : public QObject
{
    Q_OBJECT
private slots:
    void script();
    void fromAnObjectStore();
    void refused();
};

void TestContainerScript::script()
{
    TrialScript script;
    script.trialId = u"t"_s;
    script.folder = u"/mnt/it's here/t"_s;
    script.keeper = u"/mnt/bin/keeper"_s;
    script.environment = {{u"A"_s, u"it's"_s}, {u"not.shell"_s, u"x"_s}};
    script.command = {"python3 train.py", {}};
    script.parameters = {"{}", {}};
    script.gpus = 0;
    const Result<QByteArray> text = containerScript(script, "${FC_NODE_NAME:-$(hostname)}");
    QVERIFY(text);
    QCOMPARE(QString::fromUtf8(*text), uR"(#!/bin/bash
echo "Trialdeck: the output of the trial is in" '/mnt/it'\''s here/t'
export TRIALDECK_NODE="${FC_NODE_NAME:-$(hostname)}"
export CUDA_VISIBLE_DEVICES=-1
export A='it'\''s'
exec env 'not.shell=x' /mnt/bin/keeper --id t --dir '/mnt/it'\''s here/t' --code '/mnt/it'\''s here/t' --grace 5 --parameters 'text:{}' --shell 'text:python3 train.py' --shared --again >>'/mnt/it'\''s here/t/log' 2>&1
)"_s);
}

/// Modes are not kept there, and a file is seen once it is closed: the trial works in its container.
void TestContainerScript::fromAnObjectStore()
{
    TrialScript script;
    script.trialId = u"t"_s;
    script.folder = u"trial"_s;
    script.keeper = u"./keeper"_s;
    script.codeFolder = u"code"_s;
    script.command = {"./a", {}};
    script.parameters = {"{}", {}};
    script.shared = false;
    script.store =
        TrialScript::ObjectStore{u"/mnt/bin/keeper"_s, u"/mnt/code/1 2.tar.gz"_s, u"/mnt/t/output"_s, u"/mnt/t/log"_s};
    const Result<QByteArray> text = containerScript(script, "$HOSTNAME");
    QVERIFY(text);
    QCOMPARE(QString::fromUtf8(*text), uR"(#!/bin/bash
echo "Trialdeck: the output of the trial is in" /mnt/t/log
failed() { echo "Trialdeck: $1" >&2; exit 125; }
umask 077
own=$(mktemp -d "${TMPDIR:-/tmp}/trialdeck.XXXXXX") && cd "$own" || failed "no folder can be made in the container"
cp /mnt/bin/keeper ./keeper && chmod 700 ./keeper || failed "the keeper cannot be copied from the storage"
mkdir code && tar -xzf '/mnt/code/1 2.tar.gz' -C code || failed "the code cannot be unpacked; the image needs tar and gzip"
export TRIALDECK_NODE="$HOSTNAME"
exec ./keeper --id t --dir trial --code code --grace 5 --parameters 'text:{}' --shell text:./a --output /mnt/t/output --pieces /mnt/t/log
)"_s);
}

void TestContainerScript::refused()
{
    TrialScript script;
    script.command = {"a", {}};
    script.environment = {{u"A"_s, QString(QChar(0))}};
    QCOMPARE(containerScript(script, "x").error().kind, Kind::invalid);
    script.environment.clear();
    script.command = {};
    QCOMPARE(containerScript(script, "x").error().kind, Kind::invalid);
}

QTEST_GUILESS_MAIN(TestContainerScript)
#include "tst_container_script.moc"
