// SPDX-License-Identifier: GPL-3.0-or-later
// The adapter's channel against a scripted service, and a manager that records its messages. Run by the
// Node that NNI brings along:  node channel_test.js [WORDS OF A NAME]
'use strict';

const assert = require('assert');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const { Channel, metricLine, sameRun } = require('../../resources/nni/trialdeck/channel');

const quiet = { debug: () => undefined, info: () => undefined, warning: () => undefined, error: () => undefined };

async function until(condition, what) {
    for (let i = 0; i < 1000; i += 1) {
        if (condition()) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${what}: not within 10 s`);
}

/** A service whose answers are set by tests: `answers['GET /x'] = (body, query) => [status, document]`. */
class FakeService {
    constructor(folder) {
        this.folder = folder;
        this.requests = [];
        this.answers = {
            'GET /version': () => [200, { api: 1 }],
            'GET /platforms/local': () => [200, { id: 'local', kind: 'local' }],
            'POST /experiments': () => [201, { id: 'e1', name: 'n' }],
            'GET /experiments/e1': () => [200, { id: 'e1', name: 'n', state: 'RUNNING' }],
            'POST /experiments/e1/stop': () => [200, {}],
        };
        this.streams = [];
        this.sockets = new Set();
        this.revision = 0;
    }

    async start() {
        this.server = http.createServer((request, response) => {
            let text = '';
            request.on('data', (part) => { text += part; });
            request.on('end', () => this.answer(request, response, text));
        });
        this.server.on('connection', (socket) => this.sockets.add(socket));
        await new Promise((resolve) => this.server.listen(0, '127.0.0.1', resolve));
        fs.writeFileSync(path.join(this.folder, 'token'), 'secret\n');
        fs.writeFileSync(path.join(this.folder, 'endpoint.json'), JSON.stringify({
            url: `http://127.0.0.1:${this.server.address().port}`, tokenFile: path.join(this.folder, 'token'),
        }));
    }

    answer(request, response, text) {
        const [target, query] = request.url.replace('/api/v1', '').split('?');
        const isJson = request.headers['content-type'] === 'application/json';
        const body = text && isJson ? JSON.parse(text) : text || undefined;
        assert.strictEqual(request.headers.authorization, 'Bearer secret');
        this.requests.push({ what: `${request.method} ${target}`, body, query });
        if (target === '/events') {
            response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
            this.streams.push(response);
            this.event(query.includes('since=') ? { reset: true } : {}, response);
            return;
        }
        const reply = (this.answers[`${request.method} ${target}`] || (() => [404, { detail: `no ${target}` }]))(body, query);
        if (Buffer.isBuffer(reply[1])) {
            response.writeHead(reply[0], { 'Content-Type': 'text/plain' });
            response.end(reply[1]);
            return;
        }
        response.writeHead(reply[0], { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(reply[1]));
    }

    event(fields, stream = this.streams[this.streams.length - 1]) {
        this.revision += 1;
        stream.write(`${JSON.stringify({ epoch: 'x', revision: this.revision, trials: [], metrics: [], gaps: [], ...fields })}\n`);
    }

    made(what) {
        return this.requests.filter((request) => request.what === what);
    }

    async stop() {
        const closed = new Promise((resolve) => this.server.close(resolve));
        this.sockets.forEach((socket) => socket.destroy()); // kept-alive ones would be waited for
        await closed;
    }
}

const metric = (trialId, sequence, data = String(sequence)) => ({
    trialId, sequence, type: 'PERIODICAL', parameterId: 0, parameterIndex: 0, step: sequence, data,
});
const record = (id, status, metricCount = 0, more = {}) => ({ id, status, metricCount, workingDirectory: `/t/${id}`, ...more });
const settings = (trialId, value = '{"parameter_id":0,"parameters":{"x":1}}', more = {}) => ({
    trialId, sequenceId: 0, parameter: { value, index: 0 }, ...more,
});

/** The world around one channel. */
async function world(run, config = {}, prepare = () => undefined) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'channel-'));
    const service = new FakeService(folder);
    prepare(folder, service);
    await service.start();
    const said = [];
    const infos = [];
    const manager = {
        known: new Set(), config: {}, stored: {}, early: new Set(),
        knows: (id) => manager.known.has(id),
        storedMetrics: async (id) => manager.stored[id] || 0,
        isEarlyStopped: async (id) => manager.early.has(id),
        statuses: [],
        cancelled: async (id, status) => {
            manager.statuses.push(`${id} ${status}`);
            return true;
        },
        confirmed: [],
        confirmEnd: async (id) => {
            manager.confirmed.push(id);
            return true;
        },
        closed: [],
        closeBook: async (id) => {
            manager.closed.push(id);
            return true;
        },
        urls: {},
        canShowUrl: true,
        showUrl: async (id, url) => {
            if (manager.canShowUrl) {
                manager.urls[id] = url; // read when NNI looks
            }
            return manager.canShowUrl;
        },
        serveFiles: (read) => {
            manager.readFile = read;
        },
    };
    const emitter = {
        emit: (name, { command, data }) => {
            if (command === 'SO') {
                const lines = data.msg.split('\n').filter((line) => line.startsWith("NNISDK_MEb'"));
                manager.stored[data.trial] = (manager.stored[data.trial] || 0) + lines.length;
                (lines.length > 0 ? lines : [data.msg]).forEach((line) => said.push(`${data.trial} ${line}`));
            } else {
                said.push(`${data.trial} ${command} ${data.code}`);
            }
        },
    };
    const environment = { statuses: [], setStatus: (status) => environment.statuses.push(status) };
    const channel = new Channel(emitter, { dataDir: folder, platformId: 'local', trialCommand: 'true', trialCodeDirectory: '/w', ...config },
        { experimentId: 'nni1', logDir: folder }, manager, { ...quiet, info: (text) => infos.push(text) });
    channel.values = (id) => said.filter((line) => line.startsWith(`${id} NNISDK`)).map((line) => JSON.parse(line.slice(id.length + 12, -1)).value);
    await channel.connect();
    const running = channel.run();
    let ended;
    const outcome = running.then(() => 'no error', (error) => error.message); // of NNI's training service
    outcome.then((how) => { ended = how; });
    const failure = async () => {
        await until(() => ended !== undefined, "the training service's failure");
        return ended;
    };
    await until(() => service.streams.length > 0, 'the stream is open');
    try {
        await run({ service, channel, manager, said, infos, environment, folder, failure });
    } finally {
        await channel.stop();
        await outcome;
        await service.stop();
        fs.rmSync(folder, { recursive: true });
    }
}

/** Accepts whatever is submitted, as t-ID. */
function accept(service) {
    service.answers['POST /experiments/e1/trials'] = (body) => [201, { trials: body.trials.map((t) => ({ id: `t-${t.clientId}` })) }];
}

const cases = {
    async 'a trial lives, reports and ends'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            accept(service);
            service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'WAITING')];
            manager.known.add('a');
            await channel.sendCommand(environment, 'TR', settings('a'));
            await until(() => service.made('GET /trials/t-a').length > 0, 'it was looked up');
            service.event({ trials: [record('t-a', 'RUNNING', 2)], metrics: [metric('t-a', 0), metric('t-a', 1, '"it\'s \u2028"')] });
            service.event({ trials: [record('t-a', 'SUCCEEDED', 2, { endTime: 5 })] });
            await until(() => said.includes('a EN 0'), 'the end');
            assert.deepStrictEqual(channel.values('a'), ['0', '"it\'s \u2028"']);
            assert.ok(!/[^\x20-\x7e\n]/.test(said.join('')), 'only ASCII');
            assert.strictEqual(said[said.length - 1], 'a EN 0');
            assert.strictEqual(manager.urls.a(), '/t/t-a');
            const [created] = service.made('POST /experiments');
            assert.strictEqual(created.body.environment.NNI_EXP_ID, 'nni1');
            assert.strictEqual(created.body.codeMode, 'inPlace');
            assert.deepStrictEqual(service.made('POST /experiments/e1/trials')[0].body.trials[0],
                { clientId: 'a', form: { sequenceId: 0, hyperParameters: { value: '{"parameter_id":0,"parameters":{"x":1}}', index: 0 } } });
            await until(() => manager.confirmed.includes('a'), "NNI's books are looked at");
            // After the end nothing of this trial is sent any more.
            service.event({ metrics: [metric('t-a', 2)] });
            service.event({ trials: [record('t-a', 'SUCCEEDED', 3)] });
            await new Promise((resolve) => setTimeout(resolve, 50));
            assert.deepStrictEqual(channel.values('a'), ['0', '"it\'s \u2028"']);
        });
    },

    async 'what is asked for together is sent together'() {
        await world(async ({ service, channel, environment }) => {
            accept(service);
            for (const id of ['a', 'b', 'c']) {
                await channel.sendCommand(environment, 'TR', settings(id, undefined, { gpuIndices: '4,7' }));
            }
            await until(() => service.made('POST /experiments/e1/trials').length > 0, 'submitted');
            assert.deepStrictEqual(service.made('POST /experiments/e1/trials')[0].body.trials.map((t) => [t.clientId, t.gpuNumber]),
                [['a', 2], ['b', 2], ['c', 2]]);
        });
    },

    async 'metrics wait until NNI knows the trial, the end until NNI has stored them'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            accept(service);
            service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'SUCCEEDED', 1)];
            service.answers['GET /trials/t-a/metrics'] = () => [200, { metrics: [metric('t-a', 0)] }];
            manager.storedMetrics = async () => 0;
            await channel.sendCommand(environment, 'TR', settings('a'));
            await until(() => service.made('GET /trials/t-a/metrics').length > 0, 'metrics were read');
            await new Promise((resolve) => setTimeout(resolve, 50));
            assert.deepStrictEqual(said, []);
            manager.known.add('a');
            await until(() => said.length === 1, 'the metric');
            await new Promise((resolve) => setTimeout(resolve, 50));
            assert.strictEqual(said.length, 1);
            manager.storedMetrics = async () => 1;
            await until(() => said.includes('a EN 0'), 'the end');
        });
    },

    async 'holes, gaps and a lost stream are read again'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            accept(service);
            let status = record('t-a', 'RUNNING');
            const stored = [];
            service.answers['GET /trials/t-a'] = () => [200, status];
            service.answers['GET /trials/t-a/metrics'] = (_body, query) => {
                const since = Number(/since=(\d+)/.exec(query)[1]);
                return [200, { metrics: stored.slice(since) }];
            };
            manager.known.add('a');
            await channel.sendCommand(environment, 'TR', settings('a'));
            await until(() => service.made('GET /trials/t-a').length > 0, 'looked up');
            [0, 1, 2].forEach((n) => stored.push(metric('t-a', n)));
            service.event({ metrics: [metric('t-a', 2)] }); // 0 and 1 were left out
            await until(() => channel.values('a').length === 3, 'the hole is filled');
            stored.push(metric('t-a', 3));
            service.event({ gaps: [{ trialId: 't-a', from: 3, to: 3 }] });
            await until(() => channel.values('a').length === 4, 'the gap is filled');
            service.event({ metrics: [metric('t-a', 3)] }); // again
            stored.push(metric('t-a', 4));
            status = record('t-a', 'SUCCEEDED', 5);
            service.streams[0].destroy(); // as when the service is killed
            await until(() => said.includes('a EN 0'), 'the end');
            assert.deepStrictEqual(channel.values('a'), ['0', '1', '2', '3', '4']);
            assert.strictEqual(service.streams.length, 2);
        });
    },

    async 'a service that is away is waited for'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            let calls = 0;
            service.answers['POST /experiments/e1/trials'] = (body) => {
                calls += 1;
                return calls < 3 ? [503, { detail: 'starting' }] : [201, { trials: body.trials.map(() => ({ id: 't-a' })) }];
            };
            service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'SUCCEEDED')];
            manager.known.add('a');
            await channel.sendCommand(environment, 'TR', settings('a'));
            await until(() => said.includes('a EN 0'), 'the end');
            assert.strictEqual(calls, 3);
        });
    },

    async 'one trial that is refused fails, the others run'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            service.answers['POST /experiments/e1/trials'] = (body) => (body.trials.some((t) => t.clientId === 'b')
                ? [422, { detail: 'b is no good' }] : [201, { trials: body.trials.map((t) => ({ id: `t-${t.clientId}` })) }]);
            ['a', 'b', 'c'].forEach((id) => {
                manager.known.add(id);
                service.answers[`GET /trials/t-${id}`] = () => [200, record(`t-${id}`, 'SUCCEEDED')];
                channel.sendCommand(environment, 'TR', settings(id));
            });
            await until(() => said.filter((line) => / EN /.test(line)).length === 3, 'all ends');
            assert.deepStrictEqual(said.filter((line) => / EN /.test(line)).sort(), ['a EN 0', 'b EN 1', 'c EN 0']);
            assert.ok(said.includes('b Trialdeck: FAILED: b is no good'));
        });
    },

    async 'a resumed manager takes over what runs, and runs again what failed'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            const cfg = (source) => `{"parameter_id":0,"parameter_source":"${source}","parameters":{"x":1}}`;
            service.answers['POST /experiments/e1/trials'] = (body) => {
                const [trial] = body.trials;
                if (body.trials.length > 1 || !trial.rerun) {
                    return [409, { detail: 'other content' }];
                }
                return [201, { trials: [{ id: 't-b2' }] }];
            };
            service.answers['GET /trials'] = (_body, query) => {
                const id = /clientId=(\w)/.exec(query)[1];
                return [200, { trials: [{ ...record(`t-${id}`, id === 'a' ? 'RUNNING' : 'FAILED'), form: { hyperParameters: { value: cfg('algorithm') } } }] }];
            };
            service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'SUCCEEDED')];
            service.answers['GET /trials/t-b2'] = () => [200, record('t-b2', 'SUCCEEDED')];
            ['a', 'b'].forEach((id) => {
                manager.known.add(id);
                channel.sendCommand(environment, 'TR', settings(id, cfg('resumed')));
            });
            await until(() => said.filter((line) => / EN 0/.test(line)).length === 2, 'both ends');
            const reruns = service.made('POST /experiments/e1/trials').filter((r) => r.body.trials[0].rerun);
            assert.deepStrictEqual(reruns.map((r) => r.body.trials[0].clientId), ['b']);
        });
    },

    async 'cancelling says whether it is early, and what is not submitted yet is forgotten'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            accept(service);
            service.answers['POST /trials/cancel'] = () => [200, {}];
            ['a', 'b'].forEach((id) => {
                manager.known.add(id);
                service.answers[`GET /trials/t-${id}`] = () => [200, record(`t-${id}`, 'RUNNING')];
                channel.sendCommand(environment, 'TR', settings(id));
            });
            await until(() => service.made('GET /trials/t-b').length > 0, 'both run');
            manager.early.add('b');
            channel.sendCommand(environment, 'KI', 'a');
            channel.sendCommand(environment, 'KI', 'b');
            channel.sendCommand(environment, 'TR', settings('c'));
            channel.sendCommand(environment, 'KI', 'c');
            await until(() => service.made('POST /trials/cancel').length === 2, 'cancelled');
            assert.deepStrictEqual(service.made('POST /trials/cancel').map((r) => r.body),
                [{ ids: ['t-b'], isEarlyStopped: true }, { ids: ['t-a'], isEarlyStopped: false }]);
            assert.strictEqual(service.made('POST /experiments/e1/trials').length, 1);
            service.event({ trials: [record('t-a', 'USER_CANCELED'), record('t-b', 'EARLY_STOPPED')] });
            await new Promise((resolve) => setTimeout(resolve, 50));
            assert.deepStrictEqual(said, [], 'NNI has settled them');
            assert.deepStrictEqual(environment.statuses, []);
        });
    },

    async 'what is cancelled at the service has that status at NNI'() {
        for (const [status, canBeSaid] of [['EARLY_STOPPED', true], ['SYS_CANCELED', true], ['USER_CANCELED', false]]) {
            await world(async ({ service, channel, manager, said, environment }) => {
                accept(service);
                service.answers['GET /trials/t-a'] = () => [200, record('t-a', status)];
                manager.known.add('a');
                manager.cancelled = async (id, as) => {
                    await channel.sendCommand(environment, 'KI', id); // as NNI does
                    manager.statuses.push(`${id} ${as}`);
                    return canBeSaid;
                };
                await channel.sendCommand(environment, 'TR', settings('a'));
                await until(() => manager.confirmed.includes('a'), 'its end');
                assert.deepStrictEqual(manager.statuses, [`a ${status}`]);
                assert.strictEqual(said.includes('a EN 1'), !canBeSaid, 'an end is better than none');
                assert.strictEqual(service.made('POST /trials/cancel').length, 0, 'it has ended');
            });
        }
    },

    async 'the last value of a script without NNI stands for its result'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            accept(service);
            service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'SUCCEEDED', 0, { finalMetric: { value: 0.5 } })];
            manager.known.add('a');
            await channel.sendCommand(environment, 'TR', settings('a'));
            await until(() => said.includes('a EN 0'), 'the end');
            assert.deepStrictEqual(JSON.parse(said[0].slice(13, -1)),
                { parameter_id: 0, trial_job_id: 'a', type: 'FINAL', sequence: 0, value: '0.5' });
            assert.strictEqual(service.made('POST /experiments')[0].body.metricPattern, 'x');
        }, { metricPattern: 'x' });
    },

    async 'parameters of a later phase are handed on, and asked for'() {
        await world(async ({ service, channel, manager, said, environment }) => {
            accept(service);
            service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'RUNNING')];
            service.answers['PATCH /trials/t-a'] = () => [200, {}];
            manager.known.add('a');
            await channel.sendCommand(environment, 'TR', settings('a'));
            await until(() => service.made('GET /trials/t-a').length > 0, 'it runs');
            service.event({ metrics: [{ ...metric('t-a', 0), type: 'REQUEST_PARAMETER', parameterIndex: 1 }] });
            await until(() => said.length > 0, 'it asks');
            assert.deepStrictEqual(JSON.parse(said[0].slice(13, -1)),
                { trial_job_id: 'a', type: 'REQUEST_PARAMETER', sequence: 0, parameter_index: 1 });
            await channel.sendCommand(environment, 'SP', { trialId: 'a', parameters: { value: '{}', index: 1 } });
            await until(() => service.made('PATCH /trials/t-a').length > 0, 'they are sent');
            assert.deepStrictEqual(service.made('PATCH /trials/t-a')[0].body,
                { form: { sequenceId: 0, hyperParameters: { value: '{}', index: 1 } } });
        });
    },

    async 'the code is sent where its folder cannot be named'() {
        const sha = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'; // of abc
        await world(async ({ service }) => {
            assert.strictEqual(service.made(`PUT /code/${sha}`)[0].body, 'abc');
            const [{ body }] = service.made('POST /experiments');
            assert.strictEqual(body.codeHash, sha);
            assert.ok(!('codeDir' in body) && !('codeMode' in body));
        }, { uploadCode: true }, (folder, service) => {
            fs.mkdirSync(path.join(folder, 'environment-temp', 'envs'), { recursive: true });
            fs.writeFileSync(path.join(folder, 'environment-temp', 'envs', 'nni-code.tar.gz'), 'abc');
            service.answers[`PUT /code/${sha}`] = () => [201, { codeHash: sha }];
        });
    },

    async 'an earlier life of the manager is gone on with, unless it was stopped'() {
        for (const [state, made] of [['RUNNING', 0], ['STOPPED', 1], [undefined, 1]]) {
            await world(async ({ service, folder }) => {
                assert.strictEqual(service.made('POST /experiments').length, made);
                const { experimentId } = JSON.parse(fs.readFileSync(path.join(folder, 'trialdeck.json'), 'utf8'));
                assert.strictEqual(experimentId, made ? 'e1' : 'e0');
            }, {}, (folder, service) => {
                fs.writeFileSync(path.join(folder, 'trialdeck.json'), JSON.stringify({ experimentId: 'e0' }));
                if (state) {
                    service.answers['GET /experiments/e0'] = () => [200, { id: 'e0', state }];
                }
                service.answers['POST /experiments/e0/stop'] = () => [200, {}];
            });
        }
    },

    async 'ids of parameters that are texts are kept, also by a resumed manager'() {
        const cfg = (source) => `{"parameter_id":"0-2_0_0","parameter_source":"${source}","parameters":{"x":1}}`;
        for (const isResumed of [false, true]) {
            await world(async ({ service, channel, manager, said, environment }) => {
                if (isResumed) {
                    service.answers['POST /experiments/e1/trials'] = () => [409, { detail: 'other content' }];
                    service.answers['GET /trials'] = () => [200, {
                        trials: [{ ...record('t-a', 'RUNNING'), form: { hyperParameters: { value: cfg('algorithm'), index: 0 } } }],
                    }];
                } else {
                    accept(service);
                }
                // As GET gives it, and as events do.
                service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'RUNNING', 1)];
                service.answers['GET /trials/t-a/metrics'] = () => [200, { metrics: [{ ...metric('t-a', 0), parameterId: '0-2_0_0' }] }];
                manager.known.add('a');
                const value = cfg(isResumed ? 'resumed' : 'algorithm');
                await channel.sendCommand(environment, 'TR', settings('a', value));
                await until(() => said.length === 1, 'the value that was read');
                service.event({ metrics: [{ ...metric('t-a', 1), parameterId: null }] });
                await until(() => said.length === 2, 'the value of an event');
                assert.strictEqual(service.made('POST /experiments/e1/trials')[0].body.trials[0].form.hyperParameters.value, value);
                said.forEach((line) => assert.strictEqual(JSON.parse(line.slice(13, -1)).parameter_id, '0-2_0_0'));
            });
        }
    },

    async 'as long as the manager lives the service hears of it, whatever the service answers'() {
        const lease = (service) => service.made('PUT /experiments/e1/lease');
        let answers = 0;
        let service;
        await world(async (parts) => {
            ({ service } = parts);
            await until(() => lease(service).length >= 5, 'renewals, with nothing else to say');
            assert.deepStrictEqual(lease(service)[0].body, {
                holder: "NNI's manager", seconds: 1, remedy: '`nnictl resume nni1` brings it back, and takes over the trials.',
            });
        }, { leaseSeconds: 1 }, (_folder, fake) => {
            fake.answers['PUT /experiments/e1/lease'] = () => {
                answers += 1;
                return answers % 2 ? [200, {}] : [503, { detail: 'starting' }];
            };
        });
        const made = lease(service).length;
        await new Promise((resolve) => setTimeout(resolve, 600));
        assert.strictEqual(lease(service).length, made, 'a stopped one asks for nothing more');
        await world(async (parts) => {
            await until(() => lease(parts.service).length > 0, 'a lease');
            assert.strictEqual(lease(parts.service)[0].body.seconds, 60);
        });
    },

    async 'an experiment that was stopped at the service ends at NNI, its budget unspent'() {
        for (const [state, sentence] of [
            ['STOPPING', 'Experiment e1 was stopped at Trialdeck.'],
            ['STOPPED', 'Experiment e1 was stopped at Trialdeck.'],
            ['ERROR', 'Experiment e1 failed at Trialdeck: no disk.'],
        ]) {
            await world(async ({ service, channel, manager, said, environment, failure }) => {
                accept(service);
                service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'RUNNING')];
                manager.known.add('a');
                await channel.sendCommand(environment, 'TR', settings('a'));
                await until(() => service.made('GET /trials/t-a').length > 0, 'it runs');
                service.answers['POST /experiments/e1/trials'] = () => [409, { detail: 'takes no trials any more' }];
                service.event({
                    experiments: [{ id: 'e0', name: 'another', state: 'STOPPED' }],
                });
                service.event({
                    experiments: [{ id: 'e1', name: 'n', state, message: state === 'ERROR' ? 'no disk' : '' }],
                    trials: [record('t-a', 'USER_CANCELED')],
                });
                const reason = await failure();
                assert.ok(reason.startsWith(sentence), reason);
                assert.ok(reason.includes('nnictl resume nni1'), 'what to do');
                await until(() => manager.closed.includes('a'), 'NNI, which does not look any more, has the end in its books');
                assert.deepStrictEqual(manager.statuses, ['a USER_CANCELED']);
                // What NNI had already asked for is neither sent nor failed: a resumed manager asks again.
                await channel.sendCommand(environment, 'TR', settings('b'));
                await channel.sendCommand(environment, 'TR', settings('c'));
                await new Promise((resolve) => setTimeout(resolve, 50));
                assert.strictEqual(service.made('POST /experiments/e1/trials').length, 1);
                assert.deepStrictEqual(said.filter((line) => / EN /.test(line)), []);
            });
        }
    },

    async 'a stop that no event told of is met by the next submission, or the next stream'() {
        for (const [how, status, document, sentence] of [
            ['submission', 200, { id: 'e1', state: 'STOPPED' }, 'was stopped'],
            ['submission', 404, { detail: 'no e1' }, 'was deleted'],
            ['stream', 200, { id: 'e1', state: 'STOPPED' }, 'was stopped'],
        ]) {
            await world(async ({ service, channel, manager, said, environment, failure }) => {
                service.answers['POST /experiments/e1/trials'] = () => [409, { detail: 'takes no trials any more' }];
                service.answers['GET /trials'] = () => [200, { trials: [] }];
                service.answers['GET /experiments/e1'] = () => [status, document];
                if (how === 'stream') {
                    service.streams[0].destroy();
                } else {
                    ['a', 'b'].forEach((id) => {
                        manager.known.add(id);
                        channel.sendCommand(environment, 'TR', settings(id));
                    });
                }
                const reason = await failure();
                assert.ok(reason.includes(sentence), reason);
                assert.deepStrictEqual(said, [], 'no trial failed');
            });
        }
    },

    async 'a paused experiment holds what NNI asks for, and says so'() {
        const warnings = [];
        await world(async ({ service, channel, manager, said, environment }) => {
            accept(service);
            service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'WAITING')];
            channel.log = { ...quiet, warning: (text) => warnings.push(text) };
            manager.known.add('a');
            service.event({ experiments: [{ id: 'e1', name: 'n', state: 'PAUSED' }] });
            await channel.sendCommand(environment, 'TR', settings('a'));
            await until(() => service.made('GET /trials/t-a').length > 0, 'it waits there');
            assert.strictEqual(warnings.length, 1);
            assert.ok(warnings[0].includes('trialdeck experiment resume e1'), warnings[0]);
            assert.deepStrictEqual(said, []);
        });
    },

    async 'a refused trial does not show the folder of the one before'() {
        for (const canShowUrl of [false, true]) {
            await world(async ({ service, channel, manager, said, environment }) => {
                manager.canShowUrl = canShowUrl;
                const shown = (id) => (canShowUrl ? manager.urls[id]() : environment.trackingUrl);
                service.answers['POST /experiments/e1/trials'] = (body) => (body.trials[0].clientId === 'b'
                    ? [422, { detail: 'b is no good' }] : [201, { trials: [{ id: 't-a' }] }]);
                service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'SUCCEEDED')];
                ['a', 'b'].forEach((id) => manager.known.add(id));
                await channel.sendCommand(environment, 'TR', settings('a'));
                await until(() => said.includes('a EN 0'), 'a ends');
                assert.strictEqual(shown('a'), '/t/t-a');
                await channel.sendCommand(environment, 'TR', settings('b'));
                await until(() => said.includes('b EN 1'), 'b is refused');
                assert.strictEqual(shown('b'), '');
                if (canShowUrl) {
                    assert.strictEqual(shown('a'), '/t/t-a', 'each has its own');
                }
            });
        }
    },

    async "NNI's page is given a trial's files as its own local service gives them"() {
        await world(async ({ service, channel, manager, environment }) => {
            accept(service);
            service.answers['GET /trials/t-a'] = () => [200, record('t-a', 'RUNNING')];
            service.answers['GET /trials/t-a/logs/trial.log'] = (_body, query) => [200, Buffer.from(/tail=\d+/.test(query) ? 'h\u00e9llo\n' : '')];
            service.answers['GET /trials/t-a/logs/stderr'] = () => [200, Buffer.from('')];
            service.answers['GET /trials/t-a/files/model.onnx'] = () => [200, Buffer.from([0, 255, 1])];
            service.answers['GET /trials'] = (_body, query) => [200, { trials: /clientId=old/.test(query) ? [record('t-old', 'SUCCEEDED')] : [] }];
            service.answers['GET /trials/t-old/logs/stdout'] = () => [200, Buffer.from('before\n')];
            manager.known.add('a');
            await channel.sendCommand(environment, 'TR', settings('a'));
            await until(() => service.made('GET /trials/t-a').length > 0, 'it runs');
            assert.strictEqual(await manager.readFile('a', 'trial.log'), 'h\u00e9llo\n');
            assert.strictEqual(await manager.readFile('a', 'stderr'), '');
            assert.deepStrictEqual(await manager.readFile('a', 'model.onnx'), Buffer.from([0, 255, 1]));
            assert.strictEqual(await manager.readFile('old', 'stdout'), 'before\n', 'of an earlier life of the manager');
            await assert.rejects(manager.readFile('a', '../token'), /stdout, stderr, trial.log or model.onnx/);
            await assert.rejects(manager.readFile('never', 'stdout'), /no trial never/);
            await assert.rejects(manager.readFile('a', 'stdout'), /no .*stdout/);
        });
    },

    async 'on this computer trials see the environment that the experiment was started in'() {
        const given = {
            OMP_NUM_THREADS: '3', PYTHONWARNINGS: 'ignore', EMPTY: '', CUDA_VISIBLE_DEVICES: '1', NNI_CODE_DIR: '/manager',
            TRIALDECK_TOKEN_FILE: '/token', 'BASH_FUNC_x%%': '() { :; }', PWD: '/here', OLDPWD: '/there', SHLVL: '2', _: '/bin/node',
        };
        const before = { ...process.env };
        Object.assign(process.env, given);
        try {
            for (const [kind, more, seen] of [
                ['local', {}, { OMP_NUM_THREADS: '3', PYTHONWARNINGS: 'ignore', EMPTY: '', CUDA_VISIBLE_DEVICES: '1', HOME: process.env.HOME }],
                ['local', { trialGpuNumber: 1, environment: { OMP_NUM_THREADS: '9' } }, { OMP_NUM_THREADS: '9', CUDA_VISIBLE_DEVICES: undefined }],
                ['remote', {}, { OMP_NUM_THREADS: undefined, PATH: undefined, HOME: undefined }],
            ]) {
                await world(async ({ service, infos }) => {
                    const difference = infos.filter((text) => text.includes('not the one that nnictl was called in'));
                    assert.strictEqual(difference.length, kind === 'local' ? 0 : 1, `${kind}: ${infos}`);
                    const [{ body }] = service.made('POST /experiments');
                    for (const [name, value] of Object.entries(seen)) {
                        assert.strictEqual(body.environment[name], value, `${kind} ${name}`);
                    }
                    assert.strictEqual(body.environment.NNI_EXP_ID, 'nni1');
                    for (const name of ['NNI_CODE_DIR', 'TRIALDECK_TOKEN_FILE', 'BASH_FUNC_x%%', 'PWD', 'OLDPWD', 'SHLVL', '_']) {
                        assert.ok(!(name in body.environment), name);
                    }
                }, more, (_folder, service) => {
                    service.answers['GET /platforms/local'] = () => [200, { id: 'local', kind }];
                });
            }
        } finally {
            Object.keys(given).forEach((name) => delete process.env[name]);
            Object.assign(process.env, before);
        }
    },

    async 'small things'() {
        assert.ok(sameRun('{"parameter_id":1,"parameters":{"x":1},"parameter_source":"a"}', '{"parameters":{"x":1},"parameter_id":1}'));
        assert.ok(!sameRun('{"parameter_id":1,"parameters":{"x":1}}', '{"parameter_id":1,"parameters":{"x":2}}'));
        assert.ok(sameRun('not JSON', 'not JSON'));
        const line = metricLine({ id: 'a', parameterId: 7 }, { ...metric('t', 3, 'NaN'), parameterId: null, step: null });
        assert.strictEqual(line, 'NNISDK_MEb\'{"parameter_id":7,"trial_job_id":"a","type":"PERIODICAL","sequence":3,"value":"NaN"}\'');
    },
};

(async () => {
    let failed = 0;
    for (const [name, run] of Object.entries(cases).filter(([each]) => each.includes(process.argv[2] || ''))) {
        try {
            await run();
            console.log(`ok      ${name}`);
        } catch (error) {
            failed += 1;
            console.log(`FAILED  ${name}\n${error.stack}`);
        }
    }
    process.exit(failed ? 1 : 0);
})();
