// SPDX-License-Identifier: GPL-3.0-or-later
// Run by config.py before an experiment starts: `node check.js SETTINGS`. Silence is good; else one sentence on stderr.
'use strict';

const { Client, check } = require('./client');

const settings = JSON.parse(process.argv[2]);
(async () => check(new Client(settings), settings.platformId))().then(
    () => process.exit(0),
    (error) => {
        process.stderr.write(error.status === 401
            ? 'Trialdeck refuses the token. Is tokenFile the file of this service?\n' : `${error.message}\n`);
        process.exit(1);
    });
