#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds with the test preset and runs every test. For a fresh Debian 12 or Ubuntu 24.04.
set -u

usage() {
    cat <<'END'
usage: sh installer/test.sh [--deps] [--unit] [--integration] [--security] [--peers] [--nightly]

Installs the packages that are missing, builds with address and undefined behaviour sanitizers into build/dev, runs all
tests, and builds the service without the window and the window's libraries, optimised, into build/daemon-only and
build/window-figures, for the figures that they are held to.

  --deps                            install the packages, then stop
  --unit, --integration, --security, --peers
                                    only these tiers (and no optimised build)
  --nightly                         besides: 10,000 trials in an hour, fuzzers that coverage guides, a minute each, every awkward
                                    SSH host, clang and clang-tidy, and the tests under the thread sanitizer
JOBS=N in the environment sets how many jobs run at once; TRIALDECK_REQUIRE_PEERS=1 makes a peer that cannot be had a
failure instead of a skip.
END
}

tiers=
deps_only=
nightly=
for option in "$@"; do
    case $option in
    --deps) deps_only=yes ;;
    --unit | --integration | --security | --peers) tiers="$tiers ${option#--}" ;;
    --nightly) nightly=yes ;;
    -h | --help)
        usage
        exit 0
        ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
done

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
cd "$root" || exit 1
. installer/common.sh
logs=$root/build/logs
jobs=${JOBS:-$(default_jobs)}

# For how long the window is watched beside a busy search: at night longer.
export TRIALDECK_LIVE_SECONDS=$([ -n "$nightly" ] && echo 300 || echo 20)
# Which awkward hosts behind SSH a service is tried with: at night all of them.
export TRIALDECK_SSH_HOSTS=$([ -n "$nightly" ] && echo all)
# Tests that try a fault at every point take them all at night, else a part.
[ -z "$nightly" ] || export TRIALDECK_NIGHTLY=1

everything=
if [ -z "$tiers" ]; then
    everything=yes
    tiers="unit integration security peers"
fi
# Of these, those that wait for servers and clocks run together.
waiting=$(echo "$tiers" | tr ' ' '\n' | grep -v '^unit$' | xargs)
steps=3
if [ -n "$deps_only" ]; then
    steps=1
else
    case " $tiers " in *" unit "*) steps=$((steps + 1)) ;; esac
    [ -z "$waiting" ] || steps=$((steps + 1))
    [ -z "$everything" ] || steps=$((steps + 5))
    [ -z "$nightly" ] || steps=$((steps + 12))
    [ "$nightly$everything" != yesyes ] || steps=$((steps + 1))
fi

roles="build test"
[ -z "$nightly" ] || roles="$roles nightly"
# shellcheck disable=SC2086
ensure_packages "$logs/packages.log" $roles
[ -z "$deps_only" ] || exit 0

summary=$logs/summary.txt
skipped=$logs/skipped.txt
closing=$logs/closing.txt
mkdir -p "$logs"
: >"$summary"
: >"$skipped"
: >"$closing"
failed=

# Older sanitizer run-times cannot place their shadow where a kernel randomises addresses by more than 28 bits.
plain_addresses=
bits=$(cat /proc/sys/vm/mmap_rnd_bits 2>/dev/null || echo 28)
if [ "$bits" -gt 28 ] && setarch "$(uname -m)" -R true 2>/dev/null; then
    plain_addresses="setarch $(uname -m) -R"
fi

# Tests with real servers and clocks mostly wait: six at once leave two processors idle for 30 % of the time. Eight, and two Kubernetes nodes,
# left nothing idle, and time limits were missed. A test that loads the processors sets PROCESSORS, the number of such tests whose place it
# takes. Each running trial and each service has an inotify instance, of which a user has few: six tests at once had up to 80 in use.
instances=$(cat /proc/sys/fs/inotify/max_user_instances 2>/dev/null || echo 128)
waiting_jobs=$((jobs * 3 < instances / 16 ? jobs * 3 : instances / 16))
[ "$waiting_jobs" -ge 1 ] || waiting_jobs=1

# Of the disk with the temporary files of tests: a full one fails them in ways that do not tell why.
free_space() {
    df -Pk "${TMPDIR:-/tmp}" | awk 'NR == 2 { printf "%.1f GiB", $4 / 1048576 }'
}

# The tests of some tiers, their words on the terminal as they come. Goes on after a failure: the others have their say.
run_tiers() { # run_tiers PRESET JOBS TIER...
    preset=$1
    at_once=$2
    shift 2
    step_number=$((step_number + 1))
    printf '[%s/%s] Tests: %s (%s), %s free for temporary files\n' "$step_number" "$steps" "$*" "$preset" "$(free_space)"
    tier_name=$preset-$(echo "$*" | tr ' ' '-')
    tier_log=$logs/test-$tier_name.log
    tier_began=$(date +%s)
    { # The code travels through a file: POSIX sh knows only the last command of a pipe.
        # shellcheck disable=SC2086
        $plain_addresses ctest --preset "$preset" ${nightly:+-C nightly} -L "^($(echo "$*" | tr ' ' '|'))\$" -j "$at_once" \
            --output-junit "$logs/junit-$tier_name.xml" 2>&1
        echo $? >"$tier_log.code"
    } | tee "$tier_log"
    tier_time=$(elapsed $(($(date +%s) - tier_began)))
    cp "build/$preset/Testing/Temporary/LastTest.log" "$tier_log.full" 2>/dev/null
    if [ "$(cat "$tier_log.code")" -ne 0 ]; then
        sed -n '/^The following tests FAILED/,/^Errors while/p' "$tier_log" | sed '/^Errors while/d' >>"$closing"
    fi
    for tier; do
        summarize_tier "$tier"
    done
}

# What came of one tier of those that just ran.
summarize_tier() {
    ctest --preset "$preset" ${nightly:+-C nightly} -N -L "^$1\$" | sed -n 's/^ *Test *#[0-9]*: *//p' >"$tier_log.names"
    tier_count=$(wc -l <"$tier_log.names")
    if [ "$tier_count" -eq 0 ]; then
        printf '  %-11s %-12s no test\n' "$preset" "$1" >>"$summary"
        # Without any unit test something is broken, not absent.
        [ "$1" != unit ] || failed="$failed $preset/$1"
        return
    fi
    tier_passed=$(awk 'NR == FNR { wanted[$1] = 1; next }
        $2 == "Test" && wanted[$4] && / Passed / { ++passed }
        END { print passed + 0 }' "$tier_log.names" "$tier_log")
    # Qt Test prints "SKIP   : class::function(row) why", Python's unittest "name (class) ... skipped 'why'".
    awk -v tier="$1" 'NR == FNR { wanted[$1] = 1; next }
        $2 == "Testing:" { mine = wanted[$3] }
        mine && /^SKIP   : / { held = substr($0, 10); getline; if (held !~ / /) held = held " " $0; print "  " tier ": " held }
        mine && / \.\.\. skipped / { print "  " tier ": " $0 }' "$tier_log.names" "$tier_log.full" 2>/dev/null >"$tier_log.skipped"
    cat "$tier_log.skipped" >>"$skipped"
    tier_skips=$(wc -l <"$tier_log.skipped")
    printf '  %-11s %-12s %s of %s passed, %s skipped inside, %s\n' "$preset" "$1" "$tier_passed" "$tier_count" "$tier_skips" \
        "$tier_time" >>"$summary"
    if [ "$tier_passed" -ne "$tier_count" ]; then
        failed="$failed $preset/$1"
    fi
    if [ "$1" = peers ] && [ "$tier_skips" -gt 0 ] && [ "${TRIALDECK_REQUIRE_PEERS:-}" = 1 ]; then
        failed="$failed $preset/$1(skipped)"
    fi
}

tidy() {
    # What moc makes comes first: sources include it. Ninja would build the libraries that a target links before its moc.
    find build/tidy/app build/tidy/models build/tidy/services build/tidy/ui -name AutogenInfo.json \
        -exec cmake -E cmake_autogen {} Debug \;
    run-clang-tidy -quiet -p build/tidy -j "$jobs" "$root/build/tidy/(app|models|services|ui)/.*/unity_[0-9]*_cxx\\.cxx\$"
}

# The optimised builds fill the time in which tests wait for real servers, and take none from them: they run when nothing else does.
# Where Linux groups processes by session (sched(7), autogroup), an idle process yields to its own session only: the builds have a session of
# their own, with the least weight.
optimised=
begin_optimised() {
    step "Configuring the service without the window" "$logs/daemon-configure.log" \
        cmake --preset daemon-only -DTRIALDECK_FOREIGN_KEEPER=OFF
    step "Configuring the figures of the window" "$logs/figures-configure.log" cmake --preset window-figures
    # shellcheck disable=SC2016
    setsid chrt --idle 0 sh -c '
        { echo 19 >/proc/self/autogroup; } 2>/dev/null
        for build in daemon-only "window-figures window_bench tst_window_live"; do
            ninja -C build/$build -j "$0" &
            trap "kill $!" TERM
            wait $! || exit
        done' "$jobs" >"$logs/optimised-ninja.log" 2>&1 &
    optimised=$!
    trap 'stop_ticker; kill "$optimised" 2>/dev/null' EXIT
}

end_optimised() {
    tail -n +1 -f --pid="$optimised" "$logs/optimised-ninja.log"
    wait "$optimised"
    optimised_code=$?
    trap stop_ticker EXIT
    return "$optimised_code"
}

step "Configuring" "$logs/dev-configure.log" cmake --preset dev
step "Building with sanitizers, $jobs jobs" "$logs/dev-build.log" cmake --build --preset dev -j "$jobs"
# One more than there are processors: some wait for what the product slows down on purpose.
case " $tiers " in *" unit "*) run_tiers dev $((jobs + 1)) unit ;; esac
[ -z "$everything" ] || begin_optimised
case " $tiers " in
*" peers "*)
    # Installed here, in sight, once; what cannot be had, the tests themselves name.
    python3 -B tests/peers/peer_venv.py nni==2.10.1 nni==3.0 optuna==5.0.0 2>&1 | sed -un 's/^peers:/    &/p'
    python3 -B tests/peers/azure_peer.py 2>&1 | sed -un 's/^peers:/    &/p'
    # shellcheck disable=SC2086
    python3 -B tests/peers/kubernetes_lab.py --prepare --operator training --operator framework \
        ${nightly:+--operator trainer --operator training19 --kwok} 2>&1 | sed -un 's/^peers:/    &/p'
    ;;
esac
# shellcheck disable=SC2086
[ -z "$waiting" ] || run_tiers dev "$waiting_jobs" $waiting

if [ -n "$everything" ]; then
    step "Building the service without the window, and the window's figures, optimised" "$logs/optimised-build.log" end_optimised
    printf '  %-11s built\n' daemon-only >>"$summary"
    # Most run alone (RUN_SERIAL).
    run_tiers daemon-only 2 bench
    run_tiers window-figures 1 bench
fi

if [ -n "$nightly" ]; then
    if [ -n "$everything" ]; then
        step "10,000 trials in an hour" "$logs/soak.log" python3 -B tests/bench/soak.py --bin build/daemon-only/bin
        printf '  %-11s %s\n' soak "$(grep '^{' "$logs/soak.log" | cut -c 1-300)" >>"$summary"
    fi
    step "Configuring the fuzzers with libFuzzer" "$logs/fuzz-configure.log" cmake --preset fuzz
    step "Building the fuzzers with libFuzzer" "$logs/fuzz-build.log" cmake --build --preset fuzz -j "$jobs"
    run_tiers fuzz "$jobs" fuzz
    # Some tests fork, and begin threads in the child.
    export TSAN_OPTIONS="suppressions=$root/tests/tsan.supp halt_on_error=1 second_deadlock_stack=1 die_after_fork=0"
    step "Building Qt Core with the thread sanitizer" "$logs/tsan-qt.log" env JOBS="$jobs" sh installer/qt_core_tsan.sh
    # Programs find it before the one that is installed.
    step "Configuring with the thread sanitizer" "$logs/tsan-configure.log" \
        cmake --preset dev-tsan -DCMAKE_BUILD_RPATH="$(tail -n 1 "$logs/tsan-qt.log")"
    step "Building with the thread sanitizer" "$logs/tsan-build.log" cmake --build --preset dev-tsan -j "$jobs"
    run_tiers dev-tsan "$jobs" unit
    run_tiers dev-tsan $(((waiting_jobs + 1) / 2)) integration
    # As a packager types it, and with the other compiler: clang warns of names that are shadowed across files compiled as one.
    step "Configuring without a preset, for clang" "$logs/plain-configure.log" \
        env CC=clang CXX=clang++ cmake -S . -B build/plain -D CMAKE_COMPILE_WARNING_AS_ERROR=ON
    step "Building without a preset, with clang" "$logs/plain-build.log" cmake --build build/plain -j "$jobs"
    step "Configuring for clang-tidy" "$logs/tidy-configure.log" cmake --preset tidy
    step "clang-tidy" "$logs/tidy.log" tidy
    printf '  %-11s no finding\n' clang-tidy >>"$summary"
fi

printf '\nSummary, after %s\n' "$(elapsed $(($(date +%s) - began_all)))"
cat "$summary"
if [ -s "$skipped" ]; then
    printf '\nSkipped\n'
    cat "$skipped"
fi
if [ -n "$failed" ]; then
    echo
    cat "$closing"
    printf '\nFAILED:%s (logs: %s)\n' "$failed" "$logs"
    exit 1
fi
printf '\nAll passed.\n'
