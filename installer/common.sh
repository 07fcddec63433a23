# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the scripts beside it; sourced, never run. POSIX sh: a fresh Debian has nothing else.
# Expects: root (the checkout). Gives: steps with their progress, packages, the number of jobs.

began_all=$(date +%s)
step_number=0
steps=0 # of the whole run; set by the script that sources this
ticker=

# Programs of ours and Qt want UTF-8; a bare system has no locale set at all.
if [ -z "${LC_ALL:-}${LC_CTYPE:-}${LANG:-}" ]; then
    export LC_ALL=C.UTF-8
fi

elapsed() { # elapsed SECONDS -> "1 min 5 s"
    if [ "$1" -ge 60 ]; then
        echo "$(($1 / 60)) min $(($1 % 60)) s"
    else
        echo "$1 s"
    fi
}

die() {
    printf '%s\n' "$*" >&2
    exit 1
}

# How far a command is, read from its log: apt, ninja and CMake are understood.
progress_of() { # progress_of LOG
    tail -c 20000 "$1" 2>/dev/null | tr '\r' '\n' | awk -v all="$(grep -m 1 -o '[0-9]* newly installed' "$1" 2>/dev/null)" '
        match($0, /^\[[0-9]+\/[0-9]+\]/) { text = substr($0, 2, RLENGTH - 2); sub("/", " of ", text) }
        /^Get:/ { text = "downloading " $0; sub(/Get:/, "", text); sub(/ .*/, "", text); split($0, word, " ")
                  text = "downloading " substr(word[1], 5) }
        /^Unpacking / { unpacked++; text = "unpacking " $2 }
        /^Setting up / { text = "setting up " $3 }
        END { split(all, count, " "); if (text ~ /^downloading/ && count[1]) text = text " of " count[1]; print text }'
}

# Shows that a step is alive: on a terminal a line that rewrites itself, elsewhere a line every half minute.
tick() { # tick TITLE LOG PARENT
    tick_began=$(date +%s)
    while sleep 1 >/dev/null 2>&1 && kill -0 "$3" 2>/dev/null; do
        tick_now=$(($(date +%s) - tick_began))
        if [ -t 1 ]; then
            printf '\r\033[K%s … %s  %s' "$1" "$(elapsed "$tick_now")" "$(progress_of "$2" | cut -c 1-40)"
        elif [ $((tick_now % 30)) -eq 0 ]; then
            printf '    … %s  %s\n' "$(elapsed "$tick_now")" "$(progress_of "$2" | cut -c 1-60)"
        fi
    done
}

stop_ticker() {
    if [ -n "$ticker" ]; then
        # Not SIGTERM: between its fork and the reset of our traps the ticker would lose it, and we would wait for ever.
        kill -KILL "$ticker" 2>/dev/null
        wait "$ticker" 2>/dev/null
        ticker=
        if [ -t 1 ]; then
            printf '\r\033[K'
        fi
    fi
}
trap stop_ticker EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# The command runs in the foreground, so that Ctrl+C and a password prompt reach it; its words go to the log.
step() { # step TITLE LOG COMMAND...: shows progress; on failure the log's end, and stops
    step_number=$((step_number + 1))
    step_title="[$step_number/$steps] $1"
    step_log=$2
    shift 2
    mkdir -p "$(dirname "$step_log")"
    : >"$step_log" || exit 1
    step_began=$(date +%s)
    if [ ! -t 1 ]; then
        printf '%s\n' "$step_title"
    fi
    tick "$step_title" "$step_log" $$ &
    ticker=$!
    step_code=0
    "$@" >>"$step_log" 2>&1 || step_code=$?
    stop_ticker
    step_took=$(elapsed $(($(date +%s) - step_began)))
    if [ "$step_code" -ne 0 ]; then
        printf '%s failed after %s. Its last lines:\n\n' "$step_title" "$step_took"
        tail -n 30 "$step_log" | cut -c 1-300 | sed 's/^/    /'
        printf '\nThe whole log: %s\n' "$step_log"
        exit "$step_code"
    fi
    if [ -t 1 ]; then
        printf '%s: %s\n' "$step_title" "$step_took"
    else
        printf '    %s\n' "$step_took"
    fi
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The packages of the roles that are not there, one a line, as packages.txt spells them.
missing_packages() { # missing_packages ROLE...
    for role in "$@"; do
        sed -n "s/^$role  *//p" "$root/installer/packages.txt"
    done | while read -r names; do
        found=
        for name in $(echo "$names" | tr '|' ' '); do
            if is_installed "$name"; then
                found=yes
            fi
        done
        if [ -z "$found" ]; then
            echo "$names"
        fi
    done
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

install_missing() { # install_missing NAMES...: NAMES as packages.txt spells them
    if ! as_root apt-get update; then
        echo "The package lists could not be brought up to date; trying with those that are here."
    fi
    chosen=
    for names in "$@"; do
        pick=
        for name in $(echo "$names" | tr '|' ' '); do
            if [ -z "$pick" ] && apt-cache show --no-all-versions "$name" >/dev/null 2>&1; then
                pick=$name
            fi
        done
        if [ -z "$pick" ]; then
            echo "apt knows no package $names."
            echo "On Ubuntu the component 'universe' must be on: sudo add-apt-repository universe"
            return 1
        fi
        chosen="$chosen $pick"
    done
    # Without recommended packages: a desktop's worth of them is not needed to build.
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=600 -o APT::Color=0 $chosen
}

# Asks for nothing and needs no network where all is there already.
ensure_packages() { # ensure_packages LOG ROLE...
    packages_log=$1
    shift
    missing=$(missing_packages "$@")
    if [ -z "$missing" ]; then
        step_number=$((step_number + 1))
        printf '[%s/%s] All packages are installed\n' "$step_number" "$steps"
        return
    fi
    if ! command -v apt-get >/dev/null 2>&1; then
        die "These packages are missing, and there is no apt here to install them:
$missing"
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            die "These packages are missing, and installing them needs root; run this once as root: sh $0 --deps
$missing"
        fi
        sudo -v || die "Installing packages needs root, and sudo refused."
    fi
    # shellcheck disable=SC2086
    step "Installing $(echo "$missing" | wc -l) packages and what they need" "$packages_log" install_missing $missing
}

# One job a core, but no more than memory allows: the largest files take more than a gigabyte to compile.
default_jobs() {
    cores=$(nproc 2>/dev/null || echo 2)
    memory=$(awk '/^MemAvailable:/ { print int($2 / 1200000) }' /proc/meminfo 2>/dev/null)
    if [ -n "$memory" ] && [ "$memory" -lt "$cores" ]; then
        cores=$memory
    fi
    if [ "$cores" -lt 1 ]; then
        cores=1
    fi
    echo "$cores"
}
