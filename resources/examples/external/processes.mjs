#!/usr/bin/env node
// SPDX-License-Identifier: GPL-3.0-or-later
// Trials as processes of this computer, so many at once: a training service of one's own for Node.js 20 or newer, without a package, in the protocol
// of resources/api/external-platform.md.
//
//     trialdeck external add processes -- node processes.mjs
//
// What it knows of a job is in a folder, FOLDER/jobs/NAME, so that a program that is killed goes on where it was: `job` what to run, `pid` the number
// of the shell that runs it, `group` the script's process group, `exit` its exit code, `cancelled` it is not to begin any more.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

const FIELDS = [{ name: 'slots', type: 'integer', title: 'Trials at once', default: 2, minimum: 1 }];
// Says who it is, runs the script, says how it ended. Files appear whole. A program that was killed may have started a shell already, or not: the next
// one starts another, and only the first of them that links `pid` goes on. The script is in a session of its own: a SIGTERM for it ends nothing of what
// comes after it. Its group is written down before it is looked whether it was cancelled, and a cancel does it the other way round: one sees the other.
const SCRIPT = 'echo $$ >group.new && mv group.new group && [ ! -e cancelled ] || exit 143; exec bash "$1"';
const RUN = 'cd "$1" && echo $$ >pid.$$ && ln pid.$$ pid || exit; setsid bash -c "$3" job "$2"; echo $? >exit.new && mv exit.new exit';

let jobs = ''; // the folder
let slots = 1;
let soon;
const shells = new Set(); // jobs whose shells, started in this life, have not ended
const failed = new Map(); // by name: why its shell could not begin, until one does
const ended = new Map(); // by name; of these nothing changes

const say = (message) => process.stdout.write(JSON.stringify(message) + '\n');
const fileOf = (name, file) => path.join(jobs, name, file);
const has = (name, file) => fs.existsSync(fileOf(name, file));
const numberIn = (name, file) => Number(fs.readFileSync(fileOf(name, file), 'utf8'));
const names = () => fs.readdirSync(jobs).filter((name) => ended.has(name) || has(name, 'job')).sort();

function lives(name) {
    try {
        return fs.readFileSync(`/proc/${numberIn(name, 'pid')}/cmdline`, 'utf8').includes(path.join(jobs, name));
    } catch (error) {
        if (error.code !== 'ENOENT' && error.code !== 'ESRCH')
            throw error;
        return false;
    }
}

function stateOf(name) {
    if (!ended.has(name)) {
        const found = look(name);
        if (found.state !== 'ended')
            return found;
        ended.set(name, found);
    }
    return ended.get(name);
}

function look(name) {
    if (!has(name, 'pid')) {
        if (shells.has(name)) // its shell has not said so yet
            return { name, state: 'running' };
        if (has(name, 'cancelled'))
            return { name, state: 'ended', cancelled: true };
        return { name, state: 'waiting', reason: failed.get(name) ?? `${slots} trials run already` };
    }
    const job = { name, job: String(numberIn(name, 'pid')) };
    const alive = lives(name); // looked at first: a process that ends in between has written its exit code
    if (has(name, 'exit'))
        return { ...job, state: 'ended', exitCode: numberIn(name, 'exit'), endTime: Math.round(fs.statSync(fileOf(name, 'exit')).mtimeMs) };
    return alive ? { ...job, state: 'running' } : { ...job, state: 'ended', reason: 'its process is gone, and nobody knows how' };
}

function startMore() {
    const states = names().map(stateOf);
    let free = slots - states.filter((job) => job.state === 'running').length;
    for (const { name } of states.filter((job) => job.state === 'waiting')) {
        if (free-- <= 0)
            return;
        const { script } = JSON.parse(fs.readFileSync(fileOf(name, 'job'), 'utf8'));
        const shell = spawn('bash', ['-c', RUN, 'job', path.join(jobs, name), script, SCRIPT], { detached: true, stdio: 'ignore' });
        shells.add(name);
        let why = '';
        shell.on('error', (error) => { why = `: ${error.message}`; }); // and then it closes, too
        shell.on('close', () => {
            shells.delete(name);
            failed.delete(name);
            if (!has(name, 'pid') && has(name, 'job')) // else it was forgotten
                failed.set(name, `its shell could not begin${why}; it is tried again`);
            changed(failed.has(name) ? 1000 : 20);
        });
        shell.unref();
    }
}

function changed(afterMs) {
    soon ??= setTimeout(() => { // many at once are one
        soon = undefined;
        startMore();
        say({ event: 'changed' });
    }, afterMs);
}

function terminate(name) {
    try {
        if (has(name, 'group'))
            process.kill(-numberIn(name, 'group'), 'SIGTERM');
    } catch (error) {
        if (error.code !== 'ESRCH') // it has just ended
            throw error;
    }
}

const calls = {
    describe: () => ({ title: 'Processes', fields: FIELDS, calls: ['forget'], pushes: true }),
    open({ settings, folder }) {
        slots = settings.slots;
        jobs = path.join(folder, 'jobs');
        fs.mkdirSync(jobs, { recursive: true });
        fs.watch(jobs, { recursive: true }, (_, file) => {
            if (/(pid|exit|cancelled)$/.test(file ?? ''))
                changed(20);
        });
        startMore();
    },
    submit({ name, script }) {
        if (!has(name, 'job')) {
            fs.mkdirSync(path.join(jobs, name), { recursive: true });
            fs.writeFileSync(fileOf(name, 'job.new'), JSON.stringify({ script }));
            fs.renameSync(fileOf(name, 'job.new'), fileOf(name, 'job'));
            startMore();
        }
    },
    jobs: () => ({ jobs: names().map(stateOf) }),
    cancel({ name }) {
        if (!has(name, 'job') || stateOf(name).state === 'ended')
            return;
        try {
            fs.writeFileSync(fileOf(name, 'cancelled'), '');
        } finally { // a full disk, which has no room for the mark, stops no cancel
            terminate(name);
        }
    },
    forget({ name }) {
        ended.delete(name);
        failed.delete(name);
        fs.rmSync(path.join(jobs, name), { recursive: true, force: true });
    },
};

say({ protocol: 1, name: 'processes', version: '1.0' });
for await (const line of readline.createInterface({ input: process.stdin })) {
    const call = JSON.parse(line);
    if (call.call === 'close')
        break;
    try {
        say({ id: call.id, ...calls[call.call](call) });
    } catch (error) {
        console.error(`${call.call}: ${error.stack}`);
        say({ id: call.id, error: { kind: 'platform', message: `processes.mjs failed: ${error.message}` } });
    }
}
process.exit(0); // jobs go on
