// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_fields.h"

using namespace Qt::StringLiterals;

namespace platforms::slurm {

namespace {

/// Named and meant as those of a machine of `remote`.
QList<Field> loginFields()
{
    QList<Field> fields{
        Field{.name = u"host"_s,
            .type = u"string"_s,
            .title = u"Login node"_m,
            .help = u"With ssh: a name or address, or a Host of your ~/.ssh/config, whose settings then hold."_m,
            .choices = true},
        Field{.name = u"port"_s,
            .type = u"integer"_s,
            .title = u"Port"_m,
            .help = u"By default that of your SSH settings, else 22."_m},
        Field{.name = u"user"_s,
            .type = u"string"_s,
            .title = u"User"_m,
            .help = u"By default that of your SSH settings, else your name here."_m},
        Field{.name = u"password"_s,
            .type = u"string"_s,
            .secret = true,
            .sentTo = {u"host"_s, u"port"_s},
            .title = u"Password"_m,
            .help = u"Better leave it empty and use a key; you are asked when one is needed."_m},
        Field{.name = u"sshKeyFile"_s,
            .type = u"file"_s,
            .title = u"Key file"_m,
            .help = u"This key alone is used, instead of those of your SSH settings and ssh-agent."_m},
        Field{.name = u"sshPassphrase"_s,
            .type = u"string"_s,
            .secret = true,
            .title = u"Passphrase of the key"_m,
            .help = u"You are asked when one is needed."_m},
    };
    for (Field& field : fields) {
        field.dependsOn = FieldCondition{u"transport"_s, "ssh"};
        field.namesCluster = field.name == u"host"_s || field.name == u"port"_s || field.name == u"user"_s;
    }
    return fields;
}

QList<Field> restFields()
{
    QList<Field> fields{
        Field{.name = u"restUrl"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Address of slurmrestd"_m,
            .help = u"For example https://slurm.example.org:6820. Over plain http whoever listens gets the token."_m,
            .namesCluster = true},
        Field{.name = u"restUser"_s,
            .type = u"string"_s,
            .title = u"User"_m,
            .help = u"Whose token it is; by default your name here."_m,
            .namesCluster = true},
        Field{.name = u"restToken"_s,
            .type = u"string"_s,
            .secret = true,
            .sentTo = {u"restUrl"_s},
            .title = u"Token"_m,
            .help = u"What `scontrol token lifespan=…` prints."_m},
        Field{.name = u"restTokenFile"_s,
            .type = u"file"_s,
            .title = u"File with the token"_m,
            .help =
                u"Instead of the token: a file that something renews; it is read again when the token has expired."_m},
        Field{.name = u"restCaFile"_s,
            .type = u"file"_s,
            .title = u"Certificate authority"_m,
            .help = u"PEM, where slurmrestd's certificate is not signed by one that this computer trusts."_m,
            .advanced = true},
    };
    for (Field& field : fields)
        field.dependsOn = FieldCondition{u"transport"_s, "rest"};
    return fields;
}

/// What may stand in both; an experiment's wins.
QList<Field> accountFields()
{
    return {
        Field{.name = u"partition"_s,
            .type = u"string"_s,
            .title = u"Partition"_m,
            .help = u"Where jobs are submitted; by default the cluster's default partition."_m,
            .choices = true},
        Field{.name = u"account"_s,
            .type = u"string"_s,
            .title = u"Account"_m,
            .help = u"Whose share the jobs use (sbatch --account); by default yours."_m},
        Field{.name = u"qos"_s,
            .type = u"string"_s,
            .title = u"QOS"_m,
            .help = u"Quality of service of the jobs (sbatch --qos)."_m},
        Field{.name = u"reservation"_s,
            .type = u"string"_s,
            .title = u"Reservation"_m,
            .help = u"A reservation to run in (sbatch --reservation)."_m},
        Field{.name = u"constraint"_s,
            .type = u"string"_s,
            .title = u"Constraint"_m,
            .help = u"Features that a node must have (sbatch --constraint), for example a100|h100."_m},
        Field{.name = u"extraArgs"_s,
            .type = u"string"_s,
            .title = u"Extra arguments"_m,
            .help =
                u"More options of sbatch, separated by blanks, for example --nice=100; a value with blanks in double quotes."_m},
    };
}

} // namespace

KindDescription slurmKind()
{
    QList<Field> fields{Field{.name = u"transport"_s,
        .type = u"string"_s,
        .defaultValue = "cli",
        .title = u"How Slurm is asked"_m,
        .help =
            u"cli calls sbatch and squeue on this computer, ssh on a login node; rest speaks to slurmrestd, and then the working directory is mounted on this computer."_m,
        .words = {u"cli"_s, u"ssh"_s, u"rest"_s},
        .namesCluster = true}};
    fields += loginFields();
    fields += restFields();
    fields += QList<Field>{
        Field{.name = u"workingDirectory"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Working directory"_m,
            .help =
                u"A folder on a file system that the computer with Slurm's commands and all nodes share, as an absolute path."_m,
            .namesCluster = true},
        Field{.name = u"slurmConf"_s,
            .type = u"string"_s,
            .title = u"slurm.conf"_m,
            .help = u"Chooses the cluster where there are several (SLURM_CONF); usually empty."_m,
            .namesCluster = true},
    };
    fields += accountFields();
    fields += QList<Field>{
        Field{.name = u"gpuOption"_s,
            .type = u"string"_s,
            .defaultValue = "gres",
            .title = u"GPUs are asked for by"_m,
            .help = u"gres works everywhere; gpus (--gpus-per-node) is for clusters that insist on it."_m,
            .words = {u"gres"_s, u"gpus"_s}},
        Field{.name = u"preamble"_s,
            .type = u"text"_s,
            .title = u"Preamble"_m,
            .help = u"Lines of bash that are run on the node before each trial, for example `module load cuda`."_m},
        Field{.name = u"containerRuntime"_s,
            .type = u"string"_s,
            .defaultValue = "apptainer",
            .title = u"Containers"_m,
            .help = u"What runs the trials whose experiment names an image: apptainer, or NVIDIA's pyxis and enroot."_m,
            .words = {u"apptainer"_s, u"pyxis"_s}},
        Field{.name = u"maxSubmit"_s,
            .type = u"integer"_s,
            .defaultValue = 0,
            .title = u"Most jobs at once"_m,
            .help = u"How many jobs may be in Slurm's queue at once, waiting ones included; 0 sets no limit of ours."_m,
            .minimum = 0},
        Field{.name = u"pollInterval"_s,
            .type = u"integer"_s,
            .defaultValue = 10,
            .title = u"Seconds between questions"_m,
            .help =
                u"How often the queue is asked for; at least 10, because every question is work for Slurm's controller."_m,
            .minimum = 10},
    };
    return KindDescription{
        .kind = u"slurm"_s,
        .title = u"Slurm"_m,
        .fields = fields,
        .capabilities =
            {.logs = true, .parameters = false, .machines = true, .placement = false, .files = true, .requeue = true},
        .experimentFields = slurmExperimentFields(),
    };
}

QList<Field> slurmExperimentFields()
{
    QList<Field> fields{
        Field{.name = u"trialMemorySize"_s,
            .type = u"string"_s,
            .required = true,
            .title = u"Memory a trial"_m,
            .help =
                u"For example 8 GB. Without it Slurm would give a trial the memory of a whole node, and trials would run one by one."_m},
        Field{.name = u"gpuType"_s,
            .type = u"string"_s,
            .title = u"GPU type"_m,
            .help = u"As the cluster names it in its GRES, for example a100; empty takes any."_m,
            .choices = true},
        Field{.name = u"trialCpuNumber"_s,
            .type = u"integer"_s,
            .defaultValue = 1,
            .title = u"CPUs a trial"_m,
            .help = u"How many CPUs each trial gets."_m,
            .minimum = 1},
        Field{.name = u"timeLimit"_s,
            .type = u"string"_s,
            .title = u"Time limit"_m,
            .help = u"As Slurm has it: 90 (minutes), 2:00:00 or 1-12:00:00; by default that of the partition."_m},
        Field{.name = u"containerImage"_s,
            .type = u"string"_s,
            .title = u"Container image"_m,
            .help = u"A path of a .sif file, or docker://…; empty runs trials on the node itself."_m},
        Field{.name = u"exclusive"_s,
            .type = u"boolean"_s,
            .defaultValue = false,
            .title = u"Whole nodes"_m,
            .help = u"Each trial has its node for itself."_m},
        Field{.name = u"signalBeforeEnd"_s,
            .type = u"integer"_s,
            .defaultValue = 0,
            .title = u"Warning before the time limit"_m,
            .help =
                u"So many seconds before its time limit the trial gets SIGUSR1, to save a checkpoint; 0 sends none. A program that does not handle it is ended by it."_m,
            .minimum = 0},
        Field{.name = u"requeue"_s,
            .type = u"boolean"_s,
            .defaultValue = false,
            .title = u"Run again after a preemption"_m,
            .help =
                u"Slurm puts a trial back into the queue when its node fails or another job takes its place; it then begins anew."_m},
    };
    fields += accountFields();
    static const QStringList usual{
        u"gpuType"_s, u"trialCpuNumber"_s, u"trialMemorySize"_s, u"timeLimit"_s, u"partition"_s, u"containerImage"_s};
    for (Field& field : fields)
        field.advanced = !usual.contains(field.name);
    return fields;
}

} // namespace platforms::slurm
