// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded by the NNI manager (2.10 and 3.0): an environment service whose environments are places in Trialdeck's queue.
// NNI mints trial ids, decides how many run and talks to the tuner; Trialdeck places, runs and watches.
'use strict';

const { getLogger } = require('common/log');
const { EnvironmentService } = require('training_service/reusable/environment');
const { Channel } = require('./channel');
const { Manager } = require('./manager');

// With trialGpuNumber NNI schedules GPUs itself. One environment with plenty of them takes every trial at once; Trialdeck
// knows the real ones.
const PRETENDED_GPUS = 4096;

class TrialdeckEnvironmentService extends EnvironmentService {
    constructor(config, info) {
        super();
        this.config = config;
        this.info = info;
        this.log = getLogger('trialdeck');
    }

    get getName() {
        return 'trialdeck';
    }

    get hasStorageService() {
        return false;
    }

    get environmentMaintenceLoopInterval() {
        return 100;
    }

    initCommandChannel(emitter) {
        this.manager = new Manager();
        this.commandChannel = new Channel(emitter, this.config, this.info, this.manager, this.log);
    }

    async init() {
        this.manager.lookAsOftenAsAtItsOwn();
        await this.commandChannel.connect();
    }

    async startEnvironment(environment) {
        environment.isRunnerReady = true;
        environment.setStatus('RUNNING');
        if (this.config.trialGpuNumber) {
            const gpuInfos = Array.from({ length: PRETENDED_GPUS }, (_, index) => ({ index, activeProcessNum: 0 }));
            environment.setGpuSummary(undefined, { gpuCount: PRETENDED_GPUS, timestamp: '', gpuInfos });
        }
    }

    async stopEnvironment(environment) {
        environment.setStatus('USER_CANCELED');
    }

    /** An environment is only a place in a queue: nothing happens to it. What happens to trials comes as events. */
    async refreshEnvironmentsStatus(_environments) {}
}

module.exports = { TrialdeckEnvironmentService };
