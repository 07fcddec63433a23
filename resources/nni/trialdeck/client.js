// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the running Trialdeck service and speaks its HTTP interface. Node's own modules only. The token is sent only to a program that
// may have it: over the socket in the data directory, to a program of this user on this computer, or over TLS.
'use strict';

const fs = require('fs');
const http = require('http');
const https = require('https');
const net = require('net');
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
    refuseForeignFolder(folder);
    const endpoint = JSON.parse(readText(file, 'The endpoint file'));
    return { url: endpoint.url, tokenFile: endpoint.tokenFile, socket: endpoint.socket };
}

/** A folder that another user can write to says nothing reliable about our service. */
function refuseForeignFolder(folder) {
    const { uid, mode } = fs.statSync(folder);
    if ((uid !== process.getuid() && uid !== 0) || (mode & 0o022) !== 0) {
        throw new Error(`The data directory ${folder} belongs to another user, or others may write to it, so it is not used.`
            + ` Make it yours alone: chown and \`chmod 700 ${folder}\`.`);
    }
}

/** An address as /proc/net/tcp (`six` false) or tcp6 writes it: 32-bit words in the computer's byte order, here little endian. */
function tableAddress(ip, six) {
    const words = [];
    if (net.isIPv4(ip)) {
        const number = ip.split('.').reduceRight((sum, part) => sum * 256 + Number(part), 0);
        words.push(...(six ? [0, 0, 0xffff0000] : []), number);
    } else {
        const [head, tail] = ip.split('::');
        const parse = (text) => (text ? text.split(':').map((part) => parseInt(part, 16)) : []);
        const [before, after] = [parse(head), parse(tail)];
        const groups = [...before, ...Array(tail === undefined ? 0 : 8 - before.length - after.length).fill(0), ...after];
        for (let i = 0; i < 8; i += 2) {
            const bytes = [groups[i] >> 8, groups[i] & 255, groups[i + 1] >> 8, groups[i + 1] & 255];
            words.push(bytes.reduceRight((sum, byte) => sum * 256 + byte, 0));
        }
    }
    return words.map((word) => word.toString(16).padStart(8, '0').toUpperCase()).join('');
}

/**
 * The users who may hold the other end of a connection within this computer; empty when that is not known. As long as nothing has
 * accepted the connection, it belongs to whoever listens.
 */
function ownersOf({ remoteAddress, remotePort, localAddress, localPort }) {
    const hex = (port) => port.toString(16).padStart(4, '0').toUpperCase();
    const listeners = new Set();
    let waits = false;
    for (const six of [false, true]) {
        if (!six && (net.isIPv6(remoteAddress))) {
            continue;
        }
        let lines = [];
        try {
            lines = fs.readFileSync(six ? '/proc/net/tcp6' : '/proc/net/tcp', 'latin1').split('\n');
        } catch (error) {
            continue; // a computer without IPv6
        }
        const server = tableAddress(remoteAddress, six);
        const client = `${tableAddress(localAddress, six)}:${hex(localPort)}`;
        for (const line of lines) {
            const [, local, remote, state, , , , uid, , inode] = line.trim().split(/\s+/);
            if (inode === undefined || !local.includes(':')) {
                continue;
            }
            const [address, port] = local.split(':');
            if (port !== hex(remotePort)) {
                continue;
            }
            if (state === '0A') {
                if (address === server || /^0+$/.test(address)) {
                    listeners.add(Number(uid));
                }
            } else if (address === server && remote === client) {
                if (inode !== '0') {
                    return new Set([Number(uid)]);
                }
                waits = true;
            }
        }
    }
    return waits ? listeners : new Set();
}

/** Gives `then` a connection to a program that may have the token, or the error that says why there is none. */
function connectProven(options, trusted, acceptsUnknown, then) {
    const socket = net.connect({ host: options.host, port: options.port });
    const failed = (error) => then(error);
    socket.once('error', failed);
    socket.once('connect', () => {
        socket.removeListener('error', failed);
        const owners = [...ownersOf(socket)];
        const stranger = owners.find((uid) => !trusted.has(uid));
        if (stranger === undefined && (owners.length > 0 || acceptsUnknown)) {
            then(null, socket);
            return;
        }
        socket.destroy();
        then(new Error(stranger === undefined
            ? 'it is not known whose program listens there, so the token was not sent'
            : `the program that listens there is one of user ${stranger} and not yours, so the token was not sent`));
    });
}

/** Connections within this computer: none is used before its other end is proven. */
class ProvenAgent extends http.Agent {
    constructor(options, trusted, acceptsUnknown) {
        super(options);
        this.trusted = trusted;
        this.acceptsUnknown = acceptsUnknown;
    }

    createConnection(options, then) {
        connectProven(options, this.trusted(), this.acceptsUnknown, then);
    }
}

const isLoopback = (host) => host === 'localhost' || host === '[::1]' || (net.isIPv4(host) && host.startsWith('127.'));

/** The address and the token as they are now; a service that was restarted may have another address. */
function locate(settings, environment = process.env) {
    let url = settings.url;
    let tokenFile = settings.tokenFile;
    let socket;
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
        socket = found.socket;
        tokenFile = tokenFile || found.tokenFile;
    }
    const address = new URL(url);
    if (!socket && address.protocol === 'http:' && !isLoopback(address.hostname) && !settings.insecure) {
        throw new Error(`Over ${url} the token would travel in clear. Use https://, or accept that with "insecure: true".`);
    }
    return { url: address, socket, tokenFile, token: readText(tokenFile, 'The token file') };
}

/** The document that a reply holds; an empty one where something between us and the service answered in its stead. */
function parsed(bytes) {
    try {
        return JSON.parse(bytes.toString('utf8') || '{}');
    } catch (error) {
        return {};
    }
}

class Client {
    constructor(settings, environment = process.env) {
        this.settings = settings;
        this.environment = environment;
        const options = { keepAlive: true, maxSockets: 4 };
        const trusted = () => new Set([0, process.getuid(), fs.statSync(this.tokenFile).uid]);
        // For calls; streams have connections of their own.
        this.agents = [options, {}].map((each) => ({
            'http:': new http.Agent(each),
            'https:': new https.Agent(each),
            proven: new ProvenAgent(each, trusted, Boolean(settings.insecure)),
        }));
    }

    /** Whether the service sees our files. */
    get isHere() {
        const { url, socket } = locate(this.settings, this.environment);
        return Boolean(socket) || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    }

    open(method, target, headers, isStream) {
        const { url, socket, token, tokenFile } = locate(this.settings, this.environment);
        this.tokenFile = tokenFile;
        const isTls = !socket && url.protocol === 'https:';
        const agents = this.agents[isStream ? 1 : 0];
        const place = socket ? { socketPath: socket } : {
            hostname: url.hostname.replace(/^\[|\]$/g, ''),
            port: url.port || (isTls ? 443 : 80),
        };
        const request = (isTls ? https : http).request({
            ...place,
            method,
            path: PREFIX + target,
            agent: !socket && !isTls && isLoopback(url.hostname)
                ? agents.proven : agents[isTls ? 'https:' : 'http:'],
            headers: { Authorization: `Bearer ${token}`, ...headers },
        });
        request.service = url.origin;
        return request;
    }

    /** The reply's document. Throws a Problem, or Unreachable. */
    async call(method, target, body, headers = {}) {
        return parsed((await this.exchange(method, target, body, headers)).bytes);
    }

    /** The bytes of a file or a log, and where in it they begin. Throws as call() does. */
    async read(target) {
        const { bytes, headers } = await this.exchange('GET', target, undefined, {});
        return { bytes, offset: Number(headers['x-offset'] || 0) };
    }

    exchange(method, target, body, headers) {
        return new Promise((resolve, reject) => {
            const isStream = body && typeof body.pipe === 'function';
            const text = body === undefined || isStream ? undefined : JSON.stringify(body);
            const own = text === undefined ? {}
                : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
            const request = this.open(method, target, { ...own, ...headers }, false);
            const unreachable = (error) => reject(new Unreachable(
                `The Trialdeck service at ${request.service} does not answer: ${error.code || error.message}.`));
            request.setTimeout(REQUEST_TIMEOUT_MS, () => request.destroy(new Error('no answer in 30 s')));
            request.on('error', unreachable);
            request.on('response', (response) => {
                const parts = [];
                response.on('data', (part) => parts.push(part));
                response.on('error', unreachable);
                response.on('end', () => {
                    const bytes = Buffer.concat(parts);
                    if (response.statusCode < 300) {
                        resolve({ bytes, headers: response.headers });
                    } else {
                        reject(new Problem(response.statusCode, parsed(bytes)));
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
            const request = this.open('GET', target, { Accept: 'application/x-ndjson' }, true);
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

module.exports = { Client, Problem, ownersOf, tableAddress, Unreachable, check, delay, isPassing, locate };
