// SPDX-License-Identifier: GPL-3.0-or-later
// One trial of NNI's, and the texts by which NNI and the service know it.
'use strict';

/** What NNI knows as one trial. */
class Trial {
    constructor(settings, environment) {
        this.id = settings.trialId;
        this.environment = environment;
        this.form = { sequenceId: settings.sequenceId, hyperParameters: settings.parameter };
        // NNI's scheduler gave it these of the GPUs that we pretend to have: their number is what it needs.
        this.gpuNumber = settings.gpuIndices === undefined ? undefined
            : settings.gpuIndices.split(',').filter((index) => index !== '').length;
        this.receivedAt = Date.now();
        this.serviceId = undefined; // the trial's id at the service, once it was accepted
        this.replaced = undefined; // of a rerun: the id before
        this.next = 0; // index of the first metric not sent to NNI
        this.record = undefined; // the service's record, once it is final
        this.reading = false;
        this.missed = false; // something came while reading that may not be in the reply
        this.outbox = []; // lines of metrics, then perhaps the end
        this.pumping = false;
        this.said = 0; // number of metrics sent to NNI
        this.before = 0; // and those that an earlier life of its manager had stored
        this.cancelled = false;
        this.told = false; // its end was sent to NNI
        this.url = ''; // address of its files; empty until the service reports it
        this.hasOwnUrl = false; // NNI shows it as this trial's, and not as that of all trials of its environment
    }

    get parameterId() {
        try {
            return JSON.parse(this.form.hyperParameters.value).parameter_id;
        } catch (error) {
            return null;
        }
    }
}

/** The line that NNI's SDK would have printed; only ASCII, because NNI looks for it with a pattern that stops at odd line ends. */
function metricLine(trial, metric) {
    const record = metric.type === 'REQUEST_PARAMETER'
        ? { trial_job_id: trial.id, type: metric.type, sequence: 0, parameter_index: metric.parameterIndex }
        : {
            parameter_id: metric.parameterId === null ? trial.parameterId : metric.parameterId,
            trial_job_id: trial.id,
            type: metric.type,
            sequence: metric.step === null ? metric.sequence : metric.step,
            value: metric.data,
        };
    const text = JSON.stringify(record).replace(/[\u007f-\uffff]/g,
        (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return `NNISDK_MEb'${text}'`;
}

/** Whether two texts of parameter.cfg mean the same run; a resumed manager changes where it says they came from. */
function sameRun(one, other) {
    try {
        const [a, b] = [JSON.parse(one), JSON.parse(other)];
        return a.parameter_id === b.parameter_id && JSON.stringify(a.parameters) === JSON.stringify(b.parameters);
    } catch (error) {
        return one === other;
    }
}

module.exports = { Trial, metricLine, sameRun };
