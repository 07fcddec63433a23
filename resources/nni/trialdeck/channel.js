// SPDX-License-Identifier: GPL-3.0-or-later
// The trials of one NNI experiment as trials of one Trialdeck experiment. NNI's commands become requests; the service's one
// stream of events becomes NNI's messages. What we do may be done again after any failure: NNI's trial ids are our clientIds.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const { Client, Problem, check, delay, isPassing } = require('./client');
const { trialEnvironment } = require('./environment');
const { readFile } = require('./files');
const { Trial, metricLine, sameRun } = require('./trial');

const CANCELLED = ['USER_CANCELED', 'SYS_CANCELED', 'EARLY_STOPPED'];
const FINAL = ['SUCCEEDED', 'FAILED', ...CANCELLED];
const CLOSED = ['STOPPING', 'STOPPED', 'ERROR']; // states of an experiment that takes no trials any more
const METRICS_A_MESSAGE = 500;
// As fast as NNI's managers were seen to store them. What comes faster would queue up in front of the tuner, which NNI 2.10 declares
// dead when it does not answer for five seconds.
const METRICS_A_SECOND = 1000;
const METRICS_A_READ = 10000;
const STOP_WITHIN_MS = 30000;
const SETTLE_WITHIN_MS = 30000;
const CONFIRM_TIMES = 60;
// How long the service may hear nothing of this manager before its experiment says so, and how often in that time it is told.
const LEASE_SECONDS = 60;
const RENEWALS_A_LEASE = 4;
// NNI decides how many trials run at once; our limit must never be the smaller one.
const NO_LIMIT = 99999;

class Channel {
    constructor(emitter, config, info, manager, log) {
        this.emitter = emitter;
        this.config = config;
        this.info = info;
        this.manager = manager;
        this.log = log;
        this.client = new Client(config);
        this.isLocal = true;
        this.experimentId = undefined;
        this.trials = new Map(); // by NNI's id
        this.byServiceId = new Map();
        this.submitting = []; // not accepted yet
        this.cancelling = new Set();
        this.flushing = false;
        this.position = undefined; // EPOCH.REVISION of the last event that was applied
        this.stream = { close: () => undefined };
        this.lease = undefined; // the timer that renews it
        this.renewing = false;
        this.allowed = METRICS_A_SECOND; // metrics that may be told now
        this.allowedAt = Date.now();
        this.stopping = false;
        this.paused = false;
        this.ended = false; // at the service, and not by us
        this.gone = false; // it was deleted there
        this.failed = new Promise((_resolve, reject) => {
            this.fail = reject;
        });
        this.failed.catch(() => undefined); // run() may not be there yet to hear it
        this.stopped = new Promise((resolve) => {
            this.finish = resolve;
        });
    }

    get channelName() {
        return 'trialdeck';
    }

    // ------------------------------------------------------------------------------------------------ called by NNI

    /** Before anything: an experiment that cannot work is refused here, with a sentence. */
    async connect() {
        const platform = await this.patiently(() => check(this.client, this.config.platformId), 'connecting', 60000);
        this.isLocal = platform.kind === 'local';
        this.manager.serveFiles(async (id, name) => readFile(this.client, name, await this.serviceIdOf(id)));
    }

    async start() {}

    async open(_environment) {}

    async close(_environment) {}

    /**
     * Lives as long as the experiment. Rejecting ends it with the state ERROR and the sentence in NNI's page, so all that can pass is
     * waited for; an experiment that was ended at the service does not pass.
     */
    async run() {
        if (this.stopping) {
            return;
        }
        await this.ensureExperiment();
        this.holdLease();
        this.flushSoon();
        await Promise.race([this.followEvents(), this.stopped, this.failed]);
    }

    async sendCommand(environment, command, data) {
        if (command === 'TR') {
            const trial = new Trial(data, environment);
            this.trials.set(trial.id, trial);
            trial.hasOwnUrl = await this.manager.showUrl(trial.id, () => trial.url);
            if (!trial.hasOwnUrl) {
                environment.trackingUrl = ''; // not that of the trial that was in this environment before
            }
            this.submitting.push(trial);
            this.flushSoon();
        } else if (command === 'KI') {
            const trial = this.trials.get(data);
            if (trial && !trial.told) {
                this.cancelling.add(trial);
                this.flushSoon();
            }
        } else if (command === 'SP') {
            this.sendParameter(data.trialId, data.parameters);
        } else {
            this.log.warning(`Trialdeck: NNI's command ${command} is not known; it is left out.`);
        }
    }

    /** Nothing of ours is to run on; where a machine does not answer, its trials end once it does. */
    async stop() {
        this.stopping = true;
        clearInterval(this.lease);
        this.stream.close();
        if (this.experimentId) {
            try {
                await this.patiently(
                    () => this.client.call('POST', `/experiments/${this.experimentId}/stop?force=true`), 'stopping',
                    STOP_WITHIN_MS);
            } catch (error) {
                if (error.status !== 409 && error.status !== 404) { // It has ended by itself.
                    this.log.error(`Trialdeck: trials may run on: ${error.message} Stop them with `
                        + `\`trialdeck experiment stop ${this.experimentId}\`.`);
                }
            }
        }
        this.finish();
    }

    // --------------------------------------------------------------------------------------------------- experiment

    /** The experiment at the service: that of an earlier life of the manager, as long as it goes on, or a new one. */
    async ensureExperiment() {
        const file = path.join(this.info.logDir, 'trialdeck.json');
        const known = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).experimentId : undefined;
        if (known) {
            try {
                const earlier = await this.patiently(() => this.client.call('GET', `/experiments/${known}`), 'looking up');
                if (!CLOSED.includes(earlier.state)) {
                    this.log.info(`Trialdeck: going on with experiment ${known}.`);
                    this.experimentId = known;
                    return;
                }
            } catch (error) {
                if (error.status !== 404) {
                    throw error;
                }
            }
        }
        const body = await this.describe();
        const headers = { 'Idempotency-Key': `nni-${crypto.randomBytes(12).toString('hex')}` };
        const created = await this.patiently(() => this.client.call('POST', '/experiments', body, headers), 'creating');
        this.experimentId = created.id;
        fs.writeFileSync(file, JSON.stringify({ experimentId: created.id, name: created.name }));
        this.log.info(`Trialdeck: experiment ${created.id} on platform ${body.platformId}.`);
    }

    /** A manager that was killed can tell nobody: its experiment at the service says so when nothing was heard of it for a while. */
    holdLease() {
        const seconds = this.config.leaseSeconds || LEASE_SECONDS;
        const renew = async () => {
            if (this.renewing || this.stopping || this.ended) {
                return;
            }
            this.renewing = true;
            const remedy = `\`nnictl resume ${this.info.experimentId}\` brings it back, and takes over the trials.`;
            try {
                await this.client.call('PUT', `/experiments/${this.experimentId}/lease`, { holder: "NNI's manager", seconds, remedy });
            } catch (error) {
                this.log.debug(`Trialdeck: the lease was not renewed: ${error.message}`); // The next one may be.
            }
            this.renewing = false;
        };
        this.lease = setInterval(renew, (seconds * 1000) / RENEWALS_A_LEASE);
        renew();
    }

    async describe() {
        const { config } = this;
        const nni = this.manager.config;
        const environment = { NNI_EXP_ID: this.info.experimentId };
        if (this.isLocal && this.client.isHere) {
            Object.assign(environment, trialEnvironment(process.env, config.trialGpuNumber !== undefined));
        } else {
            this.log.info(`Trialdeck: trials on ${config.platformId} get the environment of the machine that they run on, not the one `
                + 'that nnictl was called in. Name the variables that they need in trainingService.environment.');
        }
        const classArgs = (nni.tuner || nni.advisor || {}).classArgs || {};
        const body = {
            name: nni.experimentName || `NNI ${this.info.experimentId}`,
            platformId: config.platformId,
            trialCommand: config.trialCommand,
            trialConcurrency: NO_LIMIT,
            objective: { direction: classArgs.optimize_mode === 'minimize' ? 'minimize' : 'maximize' },
            environment: { ...environment, ...config.environment },
            tags: ['nni', `nni:${this.info.experimentId}`],
        };
        if (config.trialGpuNumber !== undefined) {
            body.gpuNumber = config.trialGpuNumber;
        }
        for (const name of ['platformOptions', 'metricPattern', 'interpreter', 'setup', 'loginShell']) {
            if (config[name] !== undefined) {
                body[name] = config[name];
            }
        }
        const upload = config.uploadCode === undefined ? !this.client.isHere : config.uploadCode;
        if (upload) {
            body.codeHash = await this.uploadCode();
        } else {
            body.codeDir = config.trialCodeDirectory;
            body.codeMode = config.codeMode || (this.isLocal ? 'inPlace' : 'snapshot');
        }
        return body;
    }

    /** To a service on another host: the archive that NNI has just made. */
    async uploadCode() {
        const file = path.join(this.info.logDir, 'environment-temp', 'envs', 'nni-code.tar.gz');
        const hash = crypto.createHash('sha256');
        for await (const part of fs.createReadStream(file)) {
            hash.update(part);
        }
        const sha = hash.digest('hex');
        const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': fs.statSync(file).size };
        await this.patiently(
            () => this.client.call('PUT', `/code/${sha}`, fs.createReadStream(file), headers), 'uploading code');
        return sha;
    }

    // ------------------------------------------------------------------------------------------------------ requests

    /** The latest trial at the service that NNI knows as `id`; it may be one of an earlier life of the manager. */
    async serviceIdOf(id) {
        const { serviceId } = this.trials.get(id) || {};
        if (serviceId) {
            return serviceId;
        }
        const query = `/trials?experimentId=${this.experimentId}&clientId=${encodeURIComponent(id)}`;
        const { trials } = await this.client.call('GET', query);
        if (trials.length === 0) {
            throw new Error(`Trialdeck has no trial ${id}: it was not accepted, or not submitted yet.`);
        }
        return trials[trials.length - 1].id;
    }

    /** Repeats what may succeed later: for `withinMs`, or until we are stopped. */
    async patiently(call, doing, withinMs = Infinity) {
        const began = Date.now();
        for (let pause = 100; ; pause = Math.min(pause * 2, 2000)) {
            try {
                return await call();
            } catch (error) {
                const late = Date.now() - began > (this.stopping ? Math.min(withinMs, STOP_WITHIN_MS) : withinMs);
                if (!isPassing(error) || late) {
                    throw error;
                }
                if (pause === 100) {
                    this.log.warning(`Trialdeck: ${doing} waits: ${error.message}`);
                }
                await delay(pause);
            }
        }
    }

    /** After all commands of this turn of NNI's loop: what it asks for together is sent together. */
    flushSoon() {
        if (this.flushing || !this.experimentId) {
            return;
        }
        this.flushing = true;
        setImmediate(async () => {
            try {
                await this.submitAll();
                await this.cancelAll();
            } catch (error) {
                this.log.error(`Trialdeck: ${error.stack}`);
            }
            this.flushing = false;
            const more = this.ended ? [...this.cancelling].some((trial) => trial.serviceId)
                : this.submitting.length > 0 || this.cancelling.size > 0;
            if (more && !this.stopping) {
                this.flushSoon();
            }
        });
    }

    async submitAll() {
        const trials = this.submitting.splice(0);
        if (trials.length === 0) {
            return;
        }
        const wanted = trials.filter((trial) => !this.cancelling.has(trial));
        for (const trial of trials) {
            if (this.cancelling.delete(trial)) {
                trial.cancelled = true;
                trial.told = true; // NNI has forgotten it
            }
        }
        if (this.ended) {
            this.submitting.push(...wanted); // Nothing is known against them: a resumed manager asks for them again.
            return;
        }
        try {
            await this.submit(wanted);
        } catch (error) {
            if (await this.hasEnded(error)) {
                this.submitting.push(...wanted);
                return;
            }
            if (wanted.length === 1 || !(error instanceof Problem)) {
                wanted.forEach((trial) => this.refused(trial, error));
                return;
            }
            // All or none were accepted: find out which one it is.
            for (const trial of wanted) {
                await this.submit([trial]).catch(async (reason) => {
                    if (await this.hasEnded(reason)) {
                        this.submitting.push(trial);
                    } else {
                        this.refused(trial, reason);
                    }
                });
            }
        }
    }

    /** Whether trials were refused because of their experiment, and not because of themselves. */
    async hasEnded(error) {
        if (error instanceof Problem && [404, 409].includes(error.status)) {
            await this.lookAtExperiment();
        }
        return this.ended;
    }

    async submit(trials) {
        if (trials.length === 0) {
            return;
        }
        const bodies = trials.map((trial) => {
            const body = { clientId: trial.id, form: trial.form };
            if (trial.gpuNumber !== undefined) {
                body.gpuNumber = trial.gpuNumber;
            }
            if (trial.replaced) {
                body.rerun = true;
            }
            return body;
        });
        const post = () => this.client.call('POST', `/experiments/${this.experimentId}/trials`, { trials: bodies });
        const reply = await this.patiently(post, 'submitting').catch(async (error) => {
            if (trials.length === 1 && error.status === 409 && !trials[0].replaced && await this.adopt(trials[0])) {
                return undefined;
            }
            throw error;
        });
        if (reply) {
            reply.trials.forEach((accepted, i) => this.bind(trials[i], accepted.id));
        }
    }

    /**
     * NNI was killed and asks again for a trial that it had submitted. One that runs, or has succeeded, is taken as it is, with
     * all that it reported; one that failed or was cancelled runs again. False: it is nothing of that kind.
     */
    async adopt(trial) {
        const query = `/trials?experimentId=${this.experimentId}&clientId=${encodeURIComponent(trial.id)}`;
        const { trials } = await this.patiently(() => this.client.call('GET', query), 'looking up a trial');
        const latest = trials[trials.length - 1];
        if (!latest) {
            return false;
        }
        const { value } = latest.form.hyperParameters;
        if (sameRun(value, trial.form.hyperParameters.value) && (!FINAL.includes(latest.status) || latest.status === 'SUCCEEDED')) {
            this.log.info(`Trialdeck: trial ${trial.id} is ${latest.status} since before; it is taken over.`);
            trial.before = await this.manager.storedMetrics(trial.id) || 0;
            this.bind(trial, latest.id);
            return true;
        }
        if (!FINAL.includes(latest.status)) {
            return false;
        }
        trial.replaced = latest.id;
        trial.before = await this.manager.storedMetrics(trial.id) || 0;
        await this.submit([trial]);
        return true;
    }

    bind(trial, serviceId) {
        if (trial.serviceId) {
            return;
        }
        trial.serviceId = serviceId;
        this.byServiceId.set(serviceId, trial);
        // Events may have come before this reply; from here on none is missed.
        this.refresh(trial);
    }

    async cancelAll() {
        const trials = [...this.cancelling].filter((trial) => trial.serviceId);
        for (const early of [true, false]) {
            const ids = [];
            for (const trial of trials) {
                if (await this.manager.isEarlyStopped(trial.id) === early) {
                    ids.push(trial.serviceId);
                }
            }
            if (ids.length > 0) {
                const body = { ids, isEarlyStopped: early };
                await this.patiently(() => this.client.call('POST', '/trials/cancel', body), 'cancelling')
                    .catch((error) => this.log.warning(`Trialdeck: cancelling ${ids.join(', ')}: ${error.message}`));
            }
        }
        for (const trial of trials) {
            trial.cancelled = true;
            this.cancelling.delete(trial);
        }
    }

    async sendParameter(id, parameters) {
        const trial = this.trials.get(id);
        if (!trial || !trial.serviceId) {
            this.log.warning(`Trialdeck: parameters for a trial that does not run: ${id}.`);
            return;
        }
        const body = { form: { sequenceId: trial.form.sequenceId, hyperParameters: parameters } };
        await this.patiently(() => this.client.call('PATCH', `/trials/${trial.serviceId}`, body), 'sending parameters')
            .catch((error) => this.log.error(`Trialdeck: parameters for ${id}: ${error.message}`));
    }

    // -------------------------------------------------------------------------------------------------------- events

    async followEvents() {
        for (let pause = 100; !this.stopping && !this.gone; pause = Math.min(pause * 2, 2000)) {
            const since = this.position ? `&since=${this.position}` : '';
            const began = Date.now();
            try {
                await this.client.follow(`/events?topics=trials,metrics,experiments&experimentId=${this.experimentId}${since}`,
                    (event) => this.apply(event), this.stream);
            } catch (error) {
                if (this.stopping) {
                    return;
                }
                this.log.warning(`Trialdeck: ${error.message} Connecting again.`);
            }
            if (Date.now() - began > 10000) {
                pause = 100;
            }
            await delay(pause);
        }
    }

    apply(event) {
        const isFirst = this.position === undefined;
        this.position = `${event.epoch}.${event.revision}`;
        if (isFirst || event.reset) {
            this.lookAtExperiment();
            this.refreshAll();
            return;
        }
        // First: a trial that was cancelled with its experiment is not to make room for the next one.
        for (const experiment of event.experiments || []) {
            if (experiment.id === this.experimentId) {
                this.takeExperiment(experiment);
            }
        }
        for (const gap of event.gaps || []) {
            const trial = this.byServiceId.get(gap.trialId);
            if (trial) {
                this.read(trial);
            }
        }
        for (const metric of event.metrics || []) {
            const trial = this.byServiceId.get(metric.trialId);
            if (trial) {
                this.takeMetric(trial, metric);
            }
        }
        for (const record of event.trials || []) {
            const trial = this.byServiceId.get(record.id);
            if (trial) {
                this.takeRecord(trial, record);
            }
        }
    }

    async lookAtExperiment() {
        try {
            const get = () => this.client.call('GET', `/experiments/${this.experimentId}`);
            this.takeExperiment(await this.patiently(get, 'looking up the experiment'));
        } catch (error) {
            if (error.status === 404) {
                this.gone = true;
                this.endedElsewhere('was deleted');
            } else if (!this.stopping) {
                this.log.error(`Trialdeck: experiment ${this.experimentId}: ${error.message}`);
            }
        }
    }

    takeExperiment({ state, message }) {
        if (CLOSED.includes(state)) {
            this.endedElsewhere(state === 'ERROR' ? 'failed' : 'was stopped', message);
        }
        const paused = state === 'PAUSED';
        if (paused && !this.paused && !this.stopping) {
            this.log.warning(`Trialdeck: experiment ${this.experimentId} is paused${message ? `: ${message}` : ''}. What NNI asks for `
                + `waits there until \`trialdeck experiment resume ${this.experimentId}\`.`);
        }
        this.paused = paused;
    }

    /** NNI would ask for one trial after the other until its budget is spent, and be refused each. */
    endedElsewhere(how, message) {
        if (this.stopping || this.ended) {
            return;
        }
        this.ended = true;
        const reason = message ? `: ${message.replace(/\.$/, '')}` : '';
        const { experimentId } = this.info;
        this.fail(new Error(`Experiment ${this.experimentId} ${how} at Trialdeck${reason}. NNI submits no more trials, and the rest of `
            + `maxTrialNumber is not spent. To go on with the search: \`nnictl stop ${experimentId}\`, `
            + `then \`nnictl resume ${experimentId}\`.`));
    }

    /** Whatever happened while nobody listened. */
    refreshAll() {
        for (const trial of this.byServiceId.values()) {
            if (!trial.told) {
                this.refresh(trial);
            }
        }
    }

    async refresh(trial) {
        try {
            const get = () => this.client.call('GET', `/trials/${trial.serviceId}`);
            this.takeRecord(trial, await this.patiently(get, 'looking up a trial'));
        } catch (error) {
            if (error.status === 404 && !this.stopping) {
                this.takeRecord(trial, { status: 'SYS_CANCELED', metricCount: 0, reason: 'It was removed from Trialdeck.' });
            } else {
                this.log.error(`Trialdeck: trial ${trial.id}: ${error.message}`);
            }
        }
    }

    takeMetric(trial, metric) {
        if (trial.told) {
            return; // NNI knows its end; what comes now it would drop with a warning.
        }
        if (metric.sequence > trial.next) {
            this.read(trial); // A hole: read it, and this one with it.
        } else if (metric.sequence === trial.next) {
            trial.next += 1;
            trial.outbox.push(metricLine(trial, metric));
            this.pumpSoon(trial);
        }
    }

    takeRecord(trial, record) {
        if (trial.record) {
            return;
        }
        trial.url = record.url || record.workingDirectory || trial.url;
        if (!trial.hasOwnUrl) {
            trial.environment.trackingUrl = trial.url;
        }
        if (FINAL.includes(record.status)) {
            trial.record = record;
        }
        if (trial.next < (record.metricCount || 0)) {
            this.read(trial);
        } else {
            this.endIfComplete(trial);
        }
    }

    /** Metrics from trial.next on, from the store. */
    async read(trial) {
        if (trial.reading) {
            trial.missed = true;
            return;
        }
        trial.reading = true;
        try {
            for (;;) {
                trial.missed = false;
                const get = () => this.client.call(
                    'GET', `/trials/${trial.serviceId}/metrics?since=${trial.next}&limit=${METRICS_A_READ}`);
                const { metrics } = await this.patiently(get, 'reading metrics');
                metrics.forEach((metric) => this.takeMetric(trial, metric));
                if (metrics.length < METRICS_A_READ && !trial.missed) {
                    break;
                }
            }
        } catch (error) {
            this.log.error(`Trialdeck: metrics of trial ${trial.id}: ${error.message}`);
            if (trial.record) {
                trial.next = trial.record.metricCount || 0; // They are gone; the end is told all the same.
            }
        }
        trial.reading = false;
        this.endIfComplete(trial);
    }

    endIfComplete(trial) {
        if (trial.record && !trial.told && !trial.reading && trial.next >= (trial.record.metricCount || 0)) {
            trial.told = true;
            this.addLastValue(trial);
            trial.outbox.push(() => this.settle(trial));
            this.pumpSoon(trial);
        }
    }

    /** A script that knows nothing of NNI reports no final result; what metricPattern found last stands for it. */
    addLastValue(trial) {
        const last = trial.record.finalMetric;
        const reported = trial.outbox.some((line) => typeof line === 'string' && line.includes('"type":"FINAL"'));
        if (!this.config.metricPattern || trial.hasFinal || reported || !last || typeof last.value !== 'number') {
            return;
        }
        trial.outbox.push(metricLine(trial, {
            type: 'FINAL', parameterId: null, step: 0, sequence: 0, data: JSON.stringify(last.value),
        }));
    }

    // -------------------------------------------------------------------------------------------------- NNI's messages

    pumpSoon(trial) {
        if (!trial.pumping) {
            trial.pumping = true;
            setImmediate(() => this.pump(trial));
        }
    }

    /** One message a turn: NNI handles the metrics of one message in turns of its own, and their order must stay. */
    pump(trial) {
        trial.pumping = false;
        if (trial.outbox.length === 0) {
            return;
        }
        if (typeof trial.outbox[0] === 'function') {
            trial.outbox.shift()();
        } else if (this.mayReport(trial) && this.allowance() >= 1) {
            const end = trial.outbox.findIndex((line) => typeof line !== 'string');
            const most = Math.min(METRICS_A_MESSAGE, Math.floor(this.allowed));
            const lines = trial.outbox.splice(0, Math.min(end < 0 ? trial.outbox.length : end, most));
            this.allowed -= lines.length;
            trial.hasFinal = trial.hasFinal || lines.some((line) => line.includes('"type":"FINAL"'));
            trial.said += lines.filter((line) => !line.includes('"type":"REQUEST_PARAMETER"')).length;
            this.say(trial, lines.join('\n'));
        } else {
            trial.pumping = true;
            setTimeout(() => this.pump(trial), 5);
            return;
        }
        if (trial.outbox.length > 0) {
            this.pumpSoon(trial);
        }
    }

    allowance() {
        const now = Date.now();
        this.allowed = Math.min(METRICS_A_SECOND, this.allowed + ((now - this.allowedAt) * METRICS_A_SECOND) / 1000);
        this.allowedAt = now;
        return this.allowed;
    }

    /** NNI hands a trial over before it has written it down, and drops what comes in between. */
    mayReport(trial) {
        const age = Date.now() - trial.receivedAt;
        const known = this.manager.knows(trial.id);
        return known === undefined ? age > 1000 : known || trial.cancelled || age > 30000;
    }

    /** The end is told when NNI has stored, and told its tuner, all that came before. */
    async settle(trial) {
        const began = Date.now();
        for (let pause = 5; trial.said > 0 && !trial.cancelled && Date.now() - began < SETTLE_WITHIN_MS; pause = Math.min(pause * 2, 200)) {
            const stored = await this.manager.storedMetrics(trial.id);
            if (stored === undefined ? Date.now() - began > 1000 : stored >= trial.before + trial.said) {
                break;
            }
            await delay(pause);
        }
        setTimeout(async () => {
            await this.end(trial);
            this.confirm(trial);
        }, trial.said > 0 ? 5 : 0);
    }

    /** NNI looks at its trials every five seconds; after that its books must be right. */
    async confirm(trial) {
        try {
            for (let i = 0; i < CONFIRM_TIMES && !this.stopping; i += 1) {
                await delay(1000);
                // A manager in ERROR looks at no trial any more.
                if (await (this.ended ? this.manager.closeBook(trial.id) : this.manager.confirmEnd(trial.id))) {
                    return;
                }
            }
        } catch (error) {
            this.log.debug(`Trialdeck: trial ${trial.id} was not confirmed: ${error.message}`);
        }
    }

    async end(trial) {
        const { record } = trial;
        this.byServiceId.delete(trial.serviceId);
        if (trial.cancelled || this.cancelling.has(trial)) {
            return; // NNI settled its status when it asked for this.
        }
        if (record.status !== 'SUCCEEDED' && record.reason) {
            this.say(trial, `Trialdeck: ${record.status}: ${record.reason}`);
        }
        if (CANCELLED.includes(record.status) && await this.manager.cancelled(trial.id, record.status)) {
            return;
        }
        const code = record.status === 'SUCCEEDED' ? 0 : record.exitCode || 1;
        this.emit(trial, 'EN', { trial: trial.id, code, time: record.endTime || Date.now() });
    }

    /** A trial that the service does not take. */
    refused(trial, error) {
        if (trial.told) {
            return;
        }
        trial.told = true;
        this.log.error(`Trialdeck: trial ${trial.id} was not accepted: ${error.message}`);
        trial.record = { status: 'FAILED', reason: error.message };
        this.end(trial);
    }

    say(trial, msg) {
        this.emit(trial, 'SO', { tag: 'trial', trial: trial.id, msg });
    }

    emit(trial, command, data) {
        this.emitter.emit('command', { environment: trial.environment, command, data });
    }
}

module.exports = { Channel, metricLine, sameRun };
