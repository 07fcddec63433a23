// SPDX-License-Identifier: GPL-3.0-or-later
// What NNI's page shows of a trial, as NNI's own local service gives it.
'use strict';

const LOGS = ['stdout', 'stderr', 'trial.log'];
const MODEL = 'model.onnx';
const LOG_BYTES = 16 * 1024 * 1024; // the most that the service sends at once

/** Text, of a log its end; or the bytes of a model. `trial` is the service's id. */
async function readFile(client, name, trial) {
    if (name === MODEL) {
        return (await client.read(`/trials/${trial}/files/${name}`)).bytes;
    }
    if (!LOGS.includes(name)) {
        throw new Error(`Of a trial, ${LOGS.join(', ')} or ${MODEL} can be shown, not ${name}.`);
    }
    const { bytes, offset } = await client.read(`/trials/${trial}/logs/${name}?tail=${LOG_BYTES}&limit=${LOG_BYTES}`);
    const left = offset > 0 ? `[${offset} bytes before this are left out: \`trialdeck logs ${trial}\` has all.]\n` : '';
    return left + bytes.toString('utf8');
}

module.exports = { readFile };
