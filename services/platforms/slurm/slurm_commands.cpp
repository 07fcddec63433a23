// SPDX-License-Identifier: GPL-3.0-or-later
#include "slurm_commands.h"

using namespace Qt::StringLiterals;

namespace platforms::slurm {

QMap<QString, QString> commandEnvironment(const QString& slurmConf)
{
    QMap<QString, QString> values{{u"LC_ALL"_s, u"C"_s}, {u"SLURM_TIME_FORMAT"_s, u"%s"_s}};
    if (!slurmConf.isEmpty())
        values.insert(u"SLURM_CONF"_s, slurmConf);
    return values;
}

QStringList unsetVariables()
{
    // Defaults of sbatch, squeue, sacct, sinfo and scancel, and what an outer job leaves that sbatch or the job would take for its own.
    static const char* const commands[] = {"SBATCH_ACCOUNT", "SBATCH_ARRAY_INX", "SBATCH_BATCH", "SBATCH_CLUSTERS",
        "SBATCH_COMMENT", "SBATCH_CONSTRAINT", "SBATCH_CONTAINER", "SBATCH_CORE_SPEC", "SBATCH_CPUS_PER_GPU",
        "SBATCH_DEBUG", "SBATCH_DELAY_BOOT", "SBATCH_DISTRIBUTION", "SBATCH_EXCLUSIVE", "SBATCH_EXPORT",
        "SBATCH_GET_USER_ENV", "SBATCH_GPUS", "SBATCH_GPUS_PER_NODE", "SBATCH_GPUS_PER_TASK", "SBATCH_GPU_BIND",
        "SBATCH_GPU_FREQ", "SBATCH_GRES", "SBATCH_GRES_FLAGS", "SBATCH_HINT", "SBATCH_IGNORE_PBS", "SBATCH_JOB_NAME",
        "SBATCH_MEM_BIND", "SBATCH_MEM_PER_CPU", "SBATCH_MEM_PER_GPU", "SBATCH_MEM_PER_NODE", "SBATCH_NETWORK",
        "SBATCH_NO_KILL", "SBATCH_NO_REQUEUE", "SBATCH_OPEN_MODE", "SBATCH_OVERCOMMIT", "SBATCH_PARTITION",
        "SBATCH_POWER", "SBATCH_PROFILE", "SBATCH_QOS", "SBATCH_REQUEUE", "SBATCH_REQ_SWITCH", "SBATCH_RESERVATION",
        "SBATCH_SIGNAL", "SBATCH_SPREAD_JOB", "SBATCH_THREAD_SPEC", "SBATCH_TIMELIMIT", "SBATCH_USE_MIN_NODES",
        "SBATCH_WAIT", "SBATCH_WAIT4SWITCH", "SBATCH_WAIT_ALL_NODES", "SBATCH_WCKEY", "SLURM_CLUSTERS", "SLURM_HINT",
        "SLURM_EXIT_ERROR", "SQUEUE_ACCOUNT", "SQUEUE_ALL", "SQUEUE_ARRAY", "SQUEUE_ARRAY_UNIQUE", "SQUEUE_FEDERATION",
        "SQUEUE_FORMAT", "SQUEUE_FORMAT2", "SQUEUE_LICENSES", "SQUEUE_LOCAL", "SQUEUE_NAMES", "SQUEUE_PARTITION",
        "SQUEUE_PRIORITY", "SQUEUE_QOS", "SQUEUE_SIBLING", "SQUEUE_SORT", "SQUEUE_STATES", "SQUEUE_USERS",
        "SACCT_FEDERATION", "SACCT_FORMAT", "SACCT_LOCAL", "SINFO_ALL", "SINFO_FEDERATION", "SINFO_FORMAT",
        "SINFO_LOCAL", "SINFO_PARTITION", "SINFO_SORT", "SCANCEL_ACCOUNT", "SCANCEL_BATCH", "SCANCEL_CTLD",
        "SCANCEL_CRON", "SCANCEL_FULL", "SCANCEL_HURRY", "SCANCEL_INTERACTIVE", "SCANCEL_NAME", "SCANCEL_PARTITION",
        "SCANCEL_QOS", "SCANCEL_STATE", "SCANCEL_USER", "SCANCEL_VERBOSE", "SCANCEL_WCKEY", "SCONTROL_ALL",
        "SCONTROL_FEDERATION", "SCONTROL_FUTURE", "SCONTROL_LOCAL", "SCONTROL_SIBLING"};
    static const char* const outerJob[] = {"SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_CLUSTER_NAME",
        "SLURM_CPUS_ON_NODE", "SLURM_CPUS_PER_TASK", "SLURM_GPUS", "SLURM_GPUS_ON_NODE", "SLURM_GTIDS", "SLURM_JOBID",
        "SLURM_JOB_ACCOUNT", "SLURM_JOB_CPUS_PER_NODE", "SLURM_JOB_GID", "SLURM_JOB_GPUS", "SLURM_JOB_ID",
        "SLURM_JOB_NAME", "SLURM_JOB_NODELIST", "SLURM_JOB_NUM_NODES", "SLURM_JOB_PARTITION", "SLURM_JOB_QOS",
        "SLURM_JOB_RESERVATION", "SLURM_JOB_UID", "SLURM_JOB_USER", "SLURM_LOCALID", "SLURM_MEM_PER_CPU",
        "SLURM_MEM_PER_GPU", "SLURM_MEM_PER_NODE", "SLURM_NNODES", "SLURM_NODEID", "SLURM_NODELIST",
        "SLURM_NODE_ALIASES", "SLURM_NPROCS", "SLURM_NTASKS", "SLURM_NTASKS_PER_NODE", "SLURM_PRIO_PROCESS",
        "SLURM_PROCID", "SLURM_RESTART_COUNT", "SLURM_SUBMIT_DIR", "SLURM_SUBMIT_HOST", "SLURM_TASKS_PER_NODE",
        "SLURM_TASK_PID", "SLURM_TOPOLOGY_ADDR", "SLURM_TOPOLOGY_ADDR_PATTERN", "SLURM_WORKING_CLUSTER",
        "SLURMD_NODENAME"};
    QStringList names;
    for (const char* name : commands)
        names.append(QString::fromLatin1(name));
    for (const char* name : outerJob)
        names.append(QString::fromLatin1(name));
    return names;
}

QStringList versionCommand()
{
    return {u"sinfo"_s, u"--version"_s};
}

QStringList nodesCommand()
{
    // --details adds which GPUs are in use.
    return {u"scontrol"_s, u"--oneliner"_s, u"--details"_s, u"show"_s, u"node"_s};
}

QStringList partitionsCommand()
{
    return {u"scontrol"_s, u"--oneliner"_s, u"show"_s, u"partition"_s};
}

QStringList cancelCommand(const QList<qint64>& ids)
{
    QStringList words{u"scancel"_s};
    for (const qint64 id : ids)
        words.append(QString::number(id));
    return words;
}

QStringList cancelByNameCommand(const QString& name)
{
    return {u"scancel"_s, u"--me"_s, u"--name="_s + name};
}

} // namespace platforms::slurm
