#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A search that is a shell script: it halves an interval around the best learning rate, round by round, four trials at a time.
#   sh shell_search.sh [ROUNDS]
# `trialdeck` is found on PATH, or named by TRIALDECK (with its options, if it needs any: TRIALDECK="trialdeckd --data-dir d").
set -eu

trialdeck=${TRIALDECK:-trialdeck}
rounds=${1:-3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# What is searched: any command that prints its result will do.
cat >"$folder/experiment.json" <<'END'
{
    "name": "shell search",
    "trialCommand": "awk -v x={rate} 'BEGIN { print \"loss \" (x - 0.37) ^ 2 }'",
    "trialConcurrency": 4,
    "metricPattern": "loss (?<value>[-+.0-9e]+)",
    "objective": {"metric": "default", "direction": "minimize"}
}
END
experiment=$($trialdeck experiment create "$folder/experiment.json" --quiet)

low=0
high=1
round=0
while [ "$round" -lt "$rounds" ]; do
    awk -v low="$low" -v high="$high" \
        'BEGIN { for (i = 1; i <= 4; i++) printf "{\"rate\": %.6f}\n", low + (high - low) * i / 5 }' >"$folder/parameters"
    $trialdeck submit --experiment "$experiment" --parameters "@$folder/parameters" --quiet --wait >/dev/null
    best=$($trialdeck experiment show "$experiment" --json | sed -n 's/.*"best":{"trialId":"\([^"]*\)".*/\1/p')
    rate=$($trialdeck show "$best" --json | sed -n 's/.*"parameters":{"rate":\([-.0-9e]*\)}.*/\1/p')
    echo "round $round: best rate so far $rate, between $low and $high"
    width=$(awk -v low="$low" -v high="$high" 'BEGIN { print (high - low) / 4 }')
    low=$(awk -v x="$rate" -v w="$width" 'BEGIN { print x - w }')
    high=$(awk -v x="$rate" -v w="$width" 'BEGIN { print x + w }')
    round=$((round + 1))
done
$trialdeck experiment stop "$experiment" --yes --quiet
echo "rate=$rate"
