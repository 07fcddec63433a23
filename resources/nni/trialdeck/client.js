// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the running Trialdeck service and speaks its HTTP interface. Node's own modules only.
'use strict';

const fs = require('fs');
const http = require('http');
const https = require('https');
const os = require('os');
const path = require('path');

const PREFIX = '/api/v1';
const REQUEST_TIMEOUT_MS = 30000;
// The service says something at least every 15 s.
const SILENCE_MS = 45000;

/** What the service answered that was no success. */
class Problem extends Error {
    constructor(status, problem) {
        super(problem.detail || problem.title || `The service answered ${status}.`);
        this.status = status;
        this.kind = problem.kind || '';
    }
}

/** No service, or no answer: nothing is known of what became of the request. */
class Unreachable extends Error {}

/** Whether the same request may succeed later. A token may be replaced while we wait. */
function isPassing(error) {
    return error instanceof Unreachable
        || (error instanceof Problem && [401, 408, 429, 500, 502, 503, 504].includes(error.status));
}

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function readText(file, what) {
    try {
        return fs.readFileSync(file, 'utf8').trim();
    } catch (error) {
        throw new Unreachable(`${what} ${file} cannot be read: ${error.code || error.message}.`);
    }
}

function endpointOf(folder) {
    const file = path.join(folder, 'endpoint.json');
    if (!fs.existsSync(file)) {
        throw new Unreachable(
            `No Trialdeck service runs: there is no ${file}. Start one with \`trialdeck --serve\`, or set url and tokenFile.`);
    }
    const endpoint = JSON.parse(readText(file, 'The endpoint file'));
    return { url: endpoint.url, tokenFile: endpoint.tokenFile };
}

/** The address and the token as they are now; a service that was restarted may have another address. */
function locate(settings, environment = process.env) {
    let url = settings.url;
    let tokenFile = settings.tokenFile;
    if (!url && !settings.dataDir && environment.TRIALDECK_URL) {
        url = environment.TRIALDECK_URL;
    }
    if (url) {
        tokenFile = tokenFile || environment.TRIALDECK_TOKEN_FILE;
        if (!tokenFile) {
            throw new Error(`tokenFile is missing: the file with the token of the service at ${url}.`);
        }
    } else {
        const share = environment.XDG_DATA_HOME || path.join(os.homedir(), '.local', 'share');
        const found = endpointOf(settings.dataDir || path.join(share, 'trialdeck'));
        url = found.url;
        tokenFile = tokenFile || found.tokenFile;
    }
    return { url: new URL(url), token: readText(tokenFile, 'The token file') };
}

class Client {
    constructor(settings, environment = process.env) {
        this.settings = settings;
        this.environment = environment;
        this.agents = {
            'http:': new http.Agent({ keepAlive: true, maxSockets: 4 }),
            'https:': new https.Agent({ keepAlive: true, maxSockets: 4 }),
        };
    }

    /** Whether the service sees our files. */
    get isHere() {
        const { url } = locate(this.settings, this.environment);
        return ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    }

    open(method, target, headers, agent) {
        const { url, token } = locate(this.settings, this.environment);
        const library = url.protocol === 'https:' ? https : http;
        const request = library.request({
            method,
            hostname: url.hostname.replace(/^\[|\]$/g, ''),
            port: url.port || (url.protocol === 'https:' ? 443 : 80),
            path: PREFIX + target,
            agent: agent ? this.agents[url.protocol] : false,
            headers: { Authorization: `Bearer ${token}`, ...headers },
        });
        request.service = url.origin;
        return request;
    }

    /** The reply's document. Throws a Problem, or Unreachable. */
    call(method, target, body, headers = {}) {
        return new Promise((resolve, reject) => {
            const isStream = body && typeof body.pipe === 'function';
            const text = body === undefined || isStream ? undefined : JSON.stringify(body);
            const own = text === undefined ? {}
                : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
            const request = this.open(method, target, { ...own, ...headers }, true);
            const unreachable = (error) => reject(new Unreachable(
                `The Trialdeck service at ${request.service} does not answer: ${error.code || error.message}.`));
            request.setTimeout(REQUEST_TIMEOUT_MS, () => request.destroy(new Error('no answer in 30 s')));
            request.on('error', unreachable);
            request.on('response', (response) => {
                const parts = [];
                response.on('data', (part) => parts.push(part));
                response.on('error', unreachable);
                response.on('end', () => {
                    let document = {};
                    try {
                        document = JSON.parse(Buffer.concat(parts).toString('utf8') || '{}');
                    } catch (error) {
                        // Something between us and the service answered in its stead.
                    }
                    if (response.statusCode < 300) {
                        resolve(document);
                    } else {
                        reject(new Problem(response.statusCode, document));
                    }
                });
            });
            if (isStream) {
                body.on('error', (error) => request.destroy(error));
                body.pipe(request);
            } else {
                request.end(text);
            }
        });
    }

    /** Calls `onEvent` with each event until the stream ends, which it does by throwing, or until `signal.close` is called. */
    follow(target, onEvent, signal) {
        return new Promise((resolve, reject) => {
            const request = this.open('GET', target, { Accept: 'application/x-ndjson' }, false);
            signal.close = () => {
                resolve();
                request.destroy();
            };
            const ended = (error) => reject(new Unreachable(`The stream of events ended: ${error.code || error.message}.`));
            request.setTimeout(SILENCE_MS, () => request.destroy(new Error('silence')));
            request.on('error', ended);
            request.on('response', (response) => {
                let rest = '';
                response.setEncoding('utf8');
                response.on('error', ended);
                response.on('data', (text) => {
                    const lines = (rest + text).split('\n');
                    rest = lines.pop();
                    if (response.statusCode !== 200) {
                        return;
                    }
                    try {
                        for (const line of lines) {
                            if (line) {
                                onEvent(JSON.parse(line));
                            }
                        }
                    } catch (error) {
                        request.destroy(error);
                    }
                });
                response.on('end', () => {
                    if (response.statusCode === 200) {
                        ended(new Error('closed by the service'));
                        return;
                    }
                    let document = {};
                    try {
                        document = JSON.parse(rest);
                    } catch (error) {
                        // See call().
                    }
                    reject(new Problem(response.statusCode, document));
                });
            });
            request.end();
        });
    }
}

/** Refuses, with a sentence for a person, what cannot work: no service, another token, a platform that is not there. */
async function check(client, platformId) {
    const version = await client.call('GET', '/version');
    if (version.api !== 1) {
        throw new Error(`The service speaks version ${version.api} of its interface; this adapter knows version 1.`);
    }
    try {
        return await client.call('GET', `/platforms/${encodeURIComponent(platformId)}`);
    } catch (error) {
        if (error.status !== 404) {
            throw error;
        }
        const { platforms } = await client.call('GET', '/platforms');
        throw new Error(`Trialdeck has no platform "${platformId}" (platformId). It has: ${platforms.map((p) => p.id).join(', ')}.`);
    }
}

module.exports = { Client, Problem, Unreachable, check, delay, isPassing, locate };
