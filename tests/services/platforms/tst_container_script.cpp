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
