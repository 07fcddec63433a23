// SPDX-License-Identifier: GPL-3.0-or-later
// The environment that trials on this computer inherit, as from NNI's own local service: the one that nnictl was called in.
'use strict';

// What belongs to the process of the manager, or to the shell that nnictl was called in, and not to trials.
const NOT_FOR_TRIALS = /^(NNI_.*|TRIALDECK_.*|PWD|OLDPWD|SHLVL|_)$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/; // as the service takes them; functions of bash, for example, are none

/** GPUs, once they are counted, are the service's to give. */
function trialEnvironment(own, countsGpus) {
    const isForTrials = (name) => VARIABLE.test(name) && !NOT_FOR_TRIALS.test(name)
        && !(name === 'CUDA_VISIBLE_DEVICES' && countsGpus);
    return Object.fromEntries(Object.entries(own).filter(([name]) => isForTrials(name)));
}

module.exports = { trialEnvironment };
