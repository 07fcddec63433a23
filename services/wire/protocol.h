// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The wire between the service and `trialkeeper host DIR`, and the layout of a trial's folder.
//
// 1. Frames (frame.h does this)
//    u32 little-endian: length of what follows | u16 little-endian: length of the JSON | JSON, an object in UTF-8 whose
//    member "m" names the message | raw bytes, as many as the first length leaves. The first length is at most
//    maxFrame; a frame with raw bytes keeps them at or below maxRaw. Because the JSON's length is 16 bits, a message
//    whose JSON is larger than 65,535 bytes (a start, a hello of many trials) sets it to 0 and everything is JSON, no
//    raw bytes.
//    Anything malformed is an error of the decoder: the receiver closes the connection. Nothing is ever resumed inside
//    a connection; a new one begins with hello and its cursors.
//    Each side keeps two queues, control and bulk (put; records, event, data, gpu), and sends control frames first. So a
//    reply may overtake records, but records and events keep their order among themselves: every record of a trial's
//    streams that was written before its end is sent before its final event.
//    Unknown messages are answered with failed{re, kind "invalid"}; unknown members are ignored. Times are
//    milliseconds since the epoch, sizes are bytes, "req" is a number chosen by the service and unique in the
//    connection.
//
// 2. Service to agent (first hello; anything before it is refused and the connection closed)
//    hello   {version, serviceId, machineId, trials:[{id, cursors:{nni, file, stdout, journal}}]}
//            Adopts these trials: their streams are sent on from the cursors (0 where left out), their journal from
//            cursors.journal. Reply: hello {version, arch, bootId, hostname, user, home, base, cpuCount, memoryTotal,
//            shell, time, trials:[{id, state}], ended}: the state of each trial that was named: "running" (also while
//            its keeper prepares it, and if it has deleted its folder), "ended", "prepared" (a folder without a start
//            token and without a process that could create one: it was not started and may be started) or "unknown"
//            (no such folder); and of those on disk under this service and machine that were not named, the running and
//            prepared ones; `ended` counts the ended ones not named. More trials than a frame holds: name the others
//            in adopt; states beyond the first 4,000 follow at once as messages `adopted`. A cursor is 0 or a
//            `next`; a journal cursor at which no record ends (a loss of power took the journal's end) counts as 0.
//            `base` is DIR, absolute. Another agent of the same service and machine is ended first. A version that the
//            agent does not speak: helloFailed {version, kind, message}, and the connection is closed.
//    adopt   {trials:[{id, cursors}]}            as in hello, later. Reply: adopted {trials:[{id, state}]}, in one or
//            several frames.
//    has     {sha}                               Reply: has {sha, present}
//    put     {sha, offset, last} + raw           A tar.gz by its SHA-256 (64 hex digits), in order from offset 0.
//            Replies: putAck {sha, offset} (offset: bytes written; keep at most putWindow unacknowledged), and at the
//            end putDone {sha} (checked and unpacked to BASE/code/<sha>; also at once when it is there already), or
//            putFailed {sha, kind, message}. One put of a sha at a time; offset 0 begins it anew. Entries that would
//            lead outside are refused (kind "invalid").
//    removeCode {req, shas:[…]}                  Takes back this service's claim on the code; it is deleted when no
//            other service or machine of the same BASE claims it. Reply: removed {req, failed:[{id, message}]}
//    start   {trials:[spec…]}                    Reply: started {results:[…]}, in one or several frames, each trial
//            once:
//            {trial, pid, time, repeat:false}     the process runs (pid is that of the command)
//            {trial, repeat:true}                 it has been started before: nothing was started; adopt it
//            {trial, kind, message, detail, gpu?} startFailed: nothing was started and nothing runs; may be tried again; gpu: it concerns this uuid of gpuLocks alone
//            A started trial is watched from cursors 0. Its journal follows as events.
//    cancel  {trials:[id…], intent, graceMs?}     intent "user" "early" "sys". Reply: cancelled {results:[{trial,
//            state}]}, in one or several frames: state "cancelling" (the final event follows when the last process of
//            its tree is dead), "ended", "unknown". Repeats are harmless. It is written to disk before the reply: an
//            agent or keeper that dies in between forgets nothing. So the reply about a trial that is being started comes
//            when that is decided.
//    parameter {req, trial, index, text}          Writes parameter_<index>.cfg, whole at once; index 0 is
//            parameter.cfg. Reply: parameterDone {req} or failed {req, kind, message}
//    read    {req, trial, name, offset, limit?, follow?}   name: "stdout", "stderr", "trial.log" (=
//            "output/trial.log"), or a path relative to the trial's folder ("output/model.bin"). offset < 0: that
//            many bytes before the end. Replies: data {req, offset, size, eof} + raw, in order, until limit or the
//            end (eof:true is the last one); with follow it continues as the file grows and ends, eof:true, when the
//            trial has ended or by readStop. A file that is not there: with follow it is waited for (also a trial.log
//            that appears later), else readFailed {req, kind, message}. A link that leads outside is readFailed. A
//            followed file that was cut is read again from 0: offset goes back.
//    readStop {req}                               no reply
//    list    {req, trial, path?, after?, limit?}  Reply: files {req, entries:[{path, size, mtime,
//            type:"file"|"folder"|"link"|"other", message?}], next?} of everything below <trial>/path ("output" if left
//            out), or failed {req,…}. Never follows a link. `message`: why it cannot be listed or read. With `next` there is
//            more: as `after` it gives what follows.
//    gpu     {intervalMs}                         0 stops; else at once and then every so often: gpu {time, state,
//            message?} + raw, the XML of `nvidia-smi -q -x` (state "ok"); states "none" (sent once; looked at again
//            every 10 minutes), "toolMissing" (a driver is loaded, but no nvidia-smi), "driverError" (message: what
//            it printed), "timeout". XML beyond maxRaw is split: frames with more:true, the last more:false. That one
//            has processes?:[{pid, user, command?, trial?}], what /proc has of those in the table.
//    host    {intervalMs}                         0 stops; else at once, and when something changed that a person would
//            notice (looked at so often; every sixth sample is sent in any case): load {time, cpuPercent, loadAverage, memoryTotal,
//            memoryUsed, diskTotal, diskFree, diskFull, cpuCount}; diskFull: that of BASE has no room for a trial to run
//    doctor  {req}                                finding {req, id, title, state:"ok"|"warn"|"fail", detail, remedy}
//            as each step ends, then doctorDone {req}
//    remove  {req, trials:[id…]} or {req, all:true}   Deletes the folders of ended trials (a running one is refused),
//            and code that no other trial of this service and machine was started with, as removeCode does;
//            all: everything of this service and machine under BASE, code it alone claims, and what is then empty
//            (bin/ when no other service is left). Reply: removed {req, failed:[{id, message}]}, when the deletion is
//            complete, and that of what an earlier agent had begun to delete
//    forget  {trials:[id…]}                       stops sending their streams and events; folders and processes stay.
//            No reply.
//    ping    {req}                                Reply: pong {req, time}
//    EOF on its input ends the agent; trials and keepers live on.
//
//    spec: {id, jobId, experimentId, nniExperimentId, sequenceId, command, setup?, loginShell?, environment{NAME: value}?,
//      unsetEnvironment[]?, parameterCfg, parameters, multiPhase?, code, platform, gpu?, gpuLocks[]?, stdoutMode?,
//      graceMs?}
//      id            names the folder; [A-Za-z0-9._-], at most maxId characters, not starting with a dot
//      jobId         NNI_TRIAL_JOB_ID; nniExperimentId (or experimentId): NNI_EXP_ID; platform: NNI_PLATFORM;
//                    sequenceId: NNI_TRIAL_SEQ_ID; multiPhase: MULTI_PHASE
//      command       the final text, run by bash where it exists, else sh; setup, a line of shell, runs first and ends
//                    the trial if it fails; loginShell: by a login shell
//      environment   wins over everything; unsetEnvironment: names taken out of the agent's environment first
//      parameterCfg  text of parameter.cfg, verbatim; parameters: text of TRIALDECK_PARAMETERS_FILE, verbatim
//      code          {kind:"archive", sha} | {kind:"folder", path} (a snapshot on this machine) |
//                    {kind:"inPlace", path} | {kind:"none"}
//      gpu           {visible:"-1" | "0,1" | "MIG-…"}; absent: CUDA_VISIBLE_DEVICES is not set
//      gpuLocks      UUIDs; one held by another service: startFailed, kind "resource"
//      stdoutMode    "none" (stdout is not looked at), "sdk" (only lines that begin with NNISDK_MEb' are sent), "all"
//      graceMs       from SIGTERM to SIGKILL, default defaultGraceMs
//
// 3. Agent to service, unasked
//    records, event and finding are numbered by their member `seq`: 1, 2, 3 … in the order in which one connection
//    carries them. Where a number is left out, or comes again, the receiver closes the connection; the cursors of the
//    next hello make it whole.
//    records {trial, stream:"nni"|"file"|"stdout", offset, next, time, reset?} + raw
//            Raw bytes of the stream from `offset`, cut anywhere, at most maxRaw; parsing is the service's. `next` is
//            the cursor to make durable with them. A stream's offsets count what was ever read: where the trial cuts
//            a file (NNI 1.9 does so at each import) the count continues, and reset:true means that the unfinished
//            record before `offset` will not be finished. `offset` may therefore lie beyond the cursor. stdout in
//            mode "sdk": the lines asked for with their line ends (the very last one may lack it), those between left
//            out; a line may be cut over frames; offset is that of the first byte; next is always the start of a
//            line; raw may be empty, then only the cursor moves.
//    event   {trial, offset, next, type, time, …}  one record of the trial's journal; `next` is the journal cursor to
//            make durable. type "running": pid, and of a pod `node`: TRIALDECK_NODE of its environment.
//            "cancelling": intent. "exited", final:true: exitCode (null by a signal), signal (0), leftovers,
//            usage{peakMemoryBytes, userMs, systemMs, wallMs}, success, and if not success reason, failureClass;
//            intent only where a cancel ended it (a trial that ended by itself before the signal keeps its own
//            result). "lost", final:true: reason, failureClass keeperLost|machineRestarted|startFailed (nothing was
//            started)|trialFolderLost (it deleted its folder, and keeper and wrapper were killed), intent if it was
//            being cancelled. Other types: ignore. failureClass: exitCode signal outOfMemory commandNotFound
//            keeperLost machineRestarted
//    finding {trial, text}                        something a person should know of a trial (a line over maxLine was
//            skipped, inotify ran out …)
//    failed  {re, req?, kind, message}            a request (message name `re`) that could not be served
//    kind is one of Trialdeck's error kinds: cancelled timeout network auth not_found conflict invalid resource
//            platform internal.
//
// 4. Folders (modes 0700, files 0600; nobody else can change them or BASE, see own_folders.h)
//    BASE/<serviceId>/<machineId>/agent                the running agent: "pid start bootId"
//    BASE/<serviceId>/<machineId>/trials/<id>/
//      spec.json          the spec as it came
//      token              empty; exists: the trial was started, or was about to be; durable before the process
//      lock               locked by the keeper while it lives, and by its wrapper until the token is made; content: its identity, "pid start bootId"
//      journal            append-only records, see journal.h
//      .exit              room set aside for it, as there is for the first 4 KiB of stderr
//      exit               the trial has ended: end state by the wrapper, whole at once (end_state.h)
//      cancel             "intent graceMs\n", written when a cancel is accepted
//      parameter.cfg, parameter_<n>.cfg, parameters.json, metrics.jsonl, stdout, stderr
//      .nni/metrics       the SDK's records
//      code/              working directory (not with inPlace);   output/  NNI_OUTPUT_DIR = TRIALDECK_OUTPUT_DIR
//    BASE/code/<sha>/     unpacked code, files without write permission; <sha>.refs/<serviceId>.<machineId>: who
//            claims it
//    /tmp/.trialdeck-gpu/<uuid>                        GPU locks, folder mode 1777, see gpu_locks.h

namespace trialkeeper {

inline constexpr int protocolVersion = 1;

inline constexpr unsigned maxFrame = 1024 * 1024;  ///< bytes after the first length, of any frame
inline constexpr unsigned maxRaw = 64 * 1024;      ///< raw bytes of one frame
inline constexpr unsigned maxJsonWithRaw = 65535;  ///< JSON of a frame that has raw bytes
inline constexpr unsigned putWindow = 1024 * 1024; ///< bytes of a put that may be unacknowledged
inline constexpr unsigned maxLine = 1024 * 1024;   ///< a longer line of stdout is skipped with a finding (mode sdk)
inline constexpr unsigned maxId = 96;              ///< characters of an id
inline constexpr unsigned maxListEntries = 10000;  ///< of a `files` reply; a frame may hold fewer
inline constexpr int defaultGraceMs = 5000;
inline constexpr const char* sdkLinePrefix = "NNISDK_MEb'";

namespace message {
inline constexpr const char* name = "m"; ///< the member that names a message
// Service to agent; hello, has are also the names of their replies.
inline constexpr const char* hello = "hello";
inline constexpr const char* adopt = "adopt";
inline constexpr const char* has = "has";
inline constexpr const char* put = "put";
inline constexpr const char* removeCode = "removeCode";
inline constexpr const char* start = "start";
inline constexpr const char* cancel = "cancel";
inline constexpr const char* parameter = "parameter";
inline constexpr const char* read = "read";
inline constexpr const char* readStop = "readStop";
inline constexpr const char* list = "list";
inline constexpr const char* gpu = "gpu";
inline constexpr const char* host = "host";
inline constexpr const char* doctor = "doctor";
inline constexpr const char* remove = "remove";
inline constexpr const char* forget = "forget";
inline constexpr const char* ping = "ping";
// Agent to service.
inline constexpr const char* helloFailed = "helloFailed";
inline constexpr const char* adopted = "adopted";
inline constexpr const char* putAck = "putAck";
inline constexpr const char* putDone = "putDone";
inline constexpr const char* putFailed = "putFailed";
inline constexpr const char* started = "started";
inline constexpr const char* cancelled = "cancelled";
inline constexpr const char* parameterDone = "parameterDone";
inline constexpr const char* data = "data";
inline constexpr const char* readFailed = "readFailed";
inline constexpr const char* files = "files";
inline constexpr const char* load = "load";
inline constexpr const char* finding = "finding";
inline constexpr const char* doctorDone = "doctorDone";
inline constexpr const char* removed = "removed";
inline constexpr const char* records = "records";
inline constexpr const char* event = "event";
inline constexpr const char* failed = "failed";
inline constexpr const char* pong = "pong";
} // namespace message

namespace stream {
inline constexpr const char* nni = "nni";   ///< .nni/metrics
inline constexpr const char* file = "file"; ///< metrics.jsonl
inline constexpr const char* standardOutput = "stdout";
} // namespace stream

namespace eventType {
inline constexpr const char* running = "running";
inline constexpr const char* cancelling = "cancelling";
inline constexpr const char* exited = "exited";     ///< final
inline constexpr const char* lost = "lost";         ///< final
inline constexpr const char* identity = "identity"; ///< inside the journal only, never sent
} // namespace eventType

namespace intent {
inline constexpr const char* user = "user";
inline constexpr const char* early = "early";
inline constexpr const char* system = "sys";
} // namespace intent

namespace failureClass {
inline constexpr const char* exitCode = "exitCode";
inline constexpr const char* signal = "signal";
inline constexpr const char* outOfMemory = "outOfMemory";
inline constexpr const char* commandNotFound = "commandNotFound";
inline constexpr const char* keeperLost = "keeperLost";
inline constexpr const char* machineRestarted = "machineRestarted";
inline constexpr const char* startFailed = "startFailed";
inline constexpr const char* trialFolderLost = "trialFolderLost";
} // namespace failureClass

namespace stdoutMode {
inline constexpr const char* none = "none";
inline constexpr const char* sdk = "sdk";
inline constexpr const char* all = "all";
} // namespace stdoutMode

namespace codeKind {
inline constexpr const char* none = "none";
inline constexpr const char* archive = "archive";
inline constexpr const char* folder = "folder";
inline constexpr const char* inPlace = "inPlace";
} // namespace codeKind

/// Environment variable with the command that is run in place of `nvidia-smi` (tests).
inline constexpr const char* nvidiaSmiVariable = "TRIALDECK_NVIDIA_SMI";

} // namespace trialkeeper
