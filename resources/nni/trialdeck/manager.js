// SPDX-License-Identifier: GPL-3.0-or-later
// What an environment service is not told and cannot do without, read from the NNI manager that it is loaded into. NNI 2.10
// and 3.0 keep the manager in different places. Where it is in neither, answers are `undefined` and callers fall back.
'use strict';

function find() {
    for (const place of [() => require('common/component'), () => require('common/ioc_shim').IocShim]) {
        try {
            return place().get(require('common/manager').Manager);
        } catch (error) {
            // The other version's place.
        }
    }
    return undefined;
}

const LIVE = ['WAITING', 'RUNNING', 'UNKNOWN'];

class Manager {
    constructor() {
        this.manager = undefined;
    }

    get found() {
        this.manager = this.manager || find();
        return this.manager;
    }

    /**
     * NNI 3.0 looks at trials of other people's services every five seconds, and at those of its own every half. Looking at ours
     * costs no more: it is a look into a map. (In 2.10 it is five for all, in the code.)
     */
    lookAsOftenAsAtItsOwn() {
        if (this.found && this.found.pollInterval > 0.5) {
            this.found.pollInterval = 0.5;
        }
    }

    /** Whether the manager has written a trial down. It drops metrics of trials that it has not. */
    knows(trialId) {
        const trials = this.found && this.found.trialJobs;
        return trials instanceof Map ? trials.has(trialId) : undefined;
    }

    /**
     * How many metrics of a trial NNI has stored. It tells its tuner of each only then, but of the trial's end at once; a tuner that
     * hears of the end first may break.
     */
    async storedMetrics(trialId) {
        try {
            const metrics = await this.found.dataStore.getMetricData(trialId);
            return metrics.filter((metric) => metric.type !== 'REQUEST_PARAMETER').length;
        } catch (error) {
            return undefined;
        }
    }

    /**
     * NNI reads a trial's status, writes it down, and reads it again to see whether the trial has ended. One that ends in between
     * has ended for NNI, and runs for ever in its database. True when all is well, or was put right.
     */
    async confirmEnd(trialId) {
        if (!this.found || this.knows(trialId) !== false) {
            return !this.found;
        }
        const { dataStore, trainingService } = this.found;
        const stored = await dataStore.getTrialJob(trialId);
        if (stored && LIVE.includes(stored.status)) {
            const trial = await trainingService.getTrialJob(trialId);
            await dataStore.storeTrialJobEvent(trial.status, trialId, undefined, trial);
        }
        return true;
    }

    /** Writes the end of a trial down for a manager that has gone to ERROR and does not look itself. True when there is nothing to do. */
    async closeBook(trialId) {
        if (!this.found) {
            return true;
        }
        const { dataStore, trainingService } = this.found;
        const trial = await trainingService.getTrialJob(trialId);
        if (LIVE.includes(trial.status)) {
            return false;
        }
        const stored = await dataStore.getTrialJob(trialId);
        if (stored && LIVE.includes(stored.status)) {
            await dataStore.storeTrialJobEvent(trial.status, trialId, undefined, trial);
        }
        return true;
    }

    /**
     * Has NNI show `url()` as the place of a trial. By itself it shows that of the environment, which the trials that are in it together,
     * or one after the other, share. False where that cannot be done.
     */
    async showUrl(trialId, url) {
        try {
            const trial = await this.found.trainingService.getTrialJob(trialId);
            Object.defineProperty(trial, 'url', { get: url, set: () => undefined, enumerable: true, configurable: true });
            return true;
        } catch (error) {
            return false;
        }
    }

    /** `read(trialId, name)` answers what NNI's page asks for; NNI has no way to ask an environment service. */
    serveFiles(read) {
        if (this.found && this.found.trainingService) {
            this.found.trainingService.getTrialFile = read;
        }
    }

    /**
     * Gives a trial that was cancelled elsewhere that status at NNI, as if NNI had asked for it: the message of an end knows only
     * an exit code. NNI's own cancelling asks the channel to kill the trial, which by then knows better. False where that cannot
     * be done.
     */
    async cancelled(trialId, status) {
        try {
            const { trainingService } = this.found;
            await trainingService.cancelTrialJob(trialId, status === 'EARLY_STOPPED');
            const trial = await trainingService.getTrialJob(trialId);
            trial.status = status; // the system's doing is not the user's
            return true;
        } catch (error) {
            return false;
        }
    }

    /** The experiment's configuration: name, search space, tuner. */
    get config() {
        return (this.found && this.found.config) || {};
    }

    /** Whether a trial that is being killed counts as stopped early; the command to kill does not say. */
    async isEarlyStopped(trialId) {
        try {
            const trial = await this.found.trainingService.getTrialJob(trialId);
            return trial.status === 'EARLY_STOPPED' || trial.isEarlyStopped === true;
        } catch (error) {
            return false;
        }
    }
}

module.exports = { Manager };
