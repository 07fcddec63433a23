// SPDX-License-Identifier: GPL-3.0-or-later
// What Trialdeck adds to an NNI experiment, measured at the adapter: from NNI's command to the start of the process, and from its end
// to the message of it. NNI's own loops lie outside.  node nni_latency.js DATA_DIR [TRIALS]   against the service of that folder
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { Channel } = require('../../resources/nni/trialdeck/channel');

const [dataDir, count = '200'] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'nni-latency-'));
const log = { debug: () => undefined, info: () => undefined, warning: console.error, error: console.error };
const manager = {
    config: {}, knows: () => true, storedMetrics: async () => Infinity, isEarlyStopped: async () => false, confirmEnd: async () => true,
};
const ended = new Map();
const emitter = { emit: (_name, { command, data }) => command === 'EN' && ended.get(data.trial)(Date.now()) };
const channel = new Channel(emitter, {
    dataDir, platformId: 'local', trialCodeDirectory: folder, environment: { MARKS: folder },
    trialCommand: 'date +%s%3N > "$MARKS/$NNI_TRIAL_JOB_ID"; sleep 0.05; date +%s%3N >> "$MARKS/$NNI_TRIAL_JOB_ID"',
}, { experimentId: 'latency', logDir: folder }, manager, log);

function line(what, values) {
    values.sort((a, b) => a - b);
    const at = (share) => values[Math.min(values.length - 1, Math.floor(values.length * share))];
    console.log(JSON.stringify({ what, unit: 'ms', n: values.length, p50: at(0.5), p99: at(0.99), max: at(1) }));
}

(async () => {
    await channel.connect();
    const running = channel.run();
    const starts = [];
    const ends = [];
    for (let i = 0; i < Number(count); i += 1) {
        const id = `t${i}`;
        const parameter = { value: JSON.stringify({ parameter_id: i, parameters: {} }), index: 0 };
        const asked = Date.now();
        const told = new Promise((resolve) => ended.set(id, resolve));
        channel.sendCommand({ setStatus: () => undefined }, 'TR', { trialId: id, sequenceId: i, parameter });
        const at = await told;
        const [began, stopped] = fs.readFileSync(path.join(folder, id), 'utf8').split('\n').map(Number);
        if (i > 0) { // The first one waits for the experiment to be made.
            starts.push(began - asked);
            ends.push(at - stopped);
        }
    }
    line('nni: command to process start', starts);
    line('nni: process end to message of it', ends);
    await channel.stop();
    await running;
    fs.rmSync(folder, { recursive: true });
})();
