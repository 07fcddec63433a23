// SPDX-License-Identifier: GPL-3.0-or-later
#include "awkward_hosts.h"

using namespace Qt::StringLiterals;
using core::Json;

namespace {

const Json elsewhere{{"scratchDir", "%F/scratch"}};
const QByteArray makeElsewhere = "mkdir -m 700 $F/scratch; chown $U $F/scratch\n";
/// What the agent's way to a machine needs, and what sshd and the trial do; nothing else is in PATH.
const QByteArray fewTools = "mkdir $F/bin; for t in sh ls id uname head mkdir mv chmod rm printf; do "
                            "ln -s $(command -v $t) $F/bin/$t; done\n";
/// A program in the place of the login shell, which is bash in the end.
QByteArray shellThat(const QByteArray& does)
{
    return "printf '#!/bin/bash\\n' >$F/shell; cat >>$F/shell <<'ETX'\n" + does + "\nETX\nchmod 755 $F/shell\n";
}
QByteArray file(const QByteArray& name, const QByteArray& text)
{
    return "cat >\"$H/" + name + "\" <<'ETX'\n" + text + "\nETX\n";
}
QByteArray bashrc(const QByteArray& text)
{
    return file(".bashrc", text);
}
QByteArray shIs(const QByteArray& program)
{
    return "mount --bind $(readlink -f $(command -v " + program + ")) $(readlink -f /bin/sh)\n";
}

} // namespace

const QList<AwkwardHost>& awkwardHosts()
{
    static const QList<AwkwardHost> hosts{
        // Login shells.
        {.name = "dash", .shell = "/bin/dash"},
        {.name = "zsh, .zshenv prints",
            .shell = "/bin/zsh",
            .files = file(".zshenv", "echo hello from zsh; setopt noclobber extendedglob"),
            .needs = {u"zsh"_s}},
        {.name = "fish, config prints",
            .always = true,
            .guards = "no POSIX shell reads the command",
            .shell = "/usr/bin/fish",
            .files = "mkdir -p \"$H/.config/fish\"\n"
                + file(".config/fish/config.fish", "echo hello from fish\nset -gx X y"),
            .needs = {u"fish"_s}},
        {.name = "tcsh, .cshrc prints and aliases",
            .always = true,
            .guards = "csh has other quotes, and ! in them",
            .shell = "/bin/tcsh",
            .files = file(".tcshrc", "echo hello from tcsh\nset noclobber\nalias rm 'rm -i'\nalias cd 'cd \\!*; pwd'"),
            .needs = {u"tcsh"_s}},
        {.name = "csh", .shell = "/bin/csh", .needs = {u"csh"_s}},
        {.name = "mksh", .shell = "/bin/mksh", .needs = {u"mksh"_s}},
        {.name = "busybox", .shell = "%F/sh", .files = "ln -s $(command -v busybox) $F/sh\n", .needs = {u"busybox"_s}},
        {.name = "nologin",
            .always = true,
            .guards = "the commonest refusal",
            .shell = "/usr/sbin/nologin",
            .says = {u"not available"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "false for a shell", .shell = "/bin/false", .says = {u"exit code 1"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "a shell that is not there", .shell = "/no/such/shell", .says = {u"ada"_s, u"key"_s}},
        {.name = "rbash",
            .shell = "/bin/rbash",
            .needs = {u"rbash"_s},
            .says = {u"restricted"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "python for a shell",
            .shell = "/usr/bin/python3",
            .says = {u"SyntaxError"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "a shell with banners",
            .always = true,
            .guards = "output before the first frame",
            .shell = "%F/shell",
            .files = shellThat("echo Welcome; echo Rules >&2; printf 'no end of line'; exec bash \"$@\"")},
        {.name = "a shell with a megabyte of banner",
            .shell = "%F/shell",
            .files = shellThat("seq 1 150000; head -c 100000 /dev/zero; exec bash \"$@\"")},
        {.name = "a shell with all bytes in its banner",
            .shell = "%F/shell",
            .files = shellThat("head -c 65536 /dev/urandom; echo; exec bash \"$@\"")},
        {.name = "standard error closed", .shell = "%F/shell", .files = shellThat("exec bash \"$@\" 2>&-")},
        {.name = "standard output closed",
            .shell = "%F/shell",
            .files = shellThat("exec bash \"$@\" >&-"),
            .says = {u"did not start the agent"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "a shell that opens a terminal",
            .shell = "%F/shell",
            .files =
                shellThat("[ \"$1\" = -c ] && exec env SHELL=/bin/bash script -qec \"$2\" /dev/null; exec bash \"$@\""),
            .needs = {u"script"_s},
            .says = {u"ada@127.0.0.1 echo yes"_s}},

        // Files that the shell reads first.
        {.name = ".bashrc prints without an end of line",
            .always = true,
            .guards = "the mark is in the middle of a line",
            .files = bashrc("printf 'Have a nice day'; tput cols; stty erase x; mesg n")},
        {.name = ".bashrc exits",
            .always = true,
            .guards = "exit code 0, and nothing said",
            .files = bashrc("exit"),
            .says = {u"exit code 0"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = ".bashrc wants a terminal",
            .files = bashrc("echo open terminal failed: not a terminal >&2; exit 1"),
            .says = {u"not a terminal"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = ".bashrc reads a line", .files = bashrc("read -r answer"), .says = {u"ask nothing"_s}},
        {.name = ".bashrc reads everything", .files = bashrc("cat >/dev/null"), .says = {u"ask nothing"_s}},
        {.name = ".bashrc becomes zsh",
            .files = bashrc("exec zsh"),
            .needs = {u"zsh"_s},
            .says = {u"ada@127.0.0.1 echo yes"_s}},
        {.name = ".bashrc takes 5 s", .files = bashrc("sleep 5")},
        {.name = ".bashrc is strict, with traps and aliases",
            .files = bashrc(
                "set -eu; set -o noclobber -o noglob; trap 'echo bye' EXIT; alias ls='ls --color=always' rm='rm -i'; "
                "shopt -s expand_aliases; CDPATH=/:/usr; export CDPATH")},
        {.name = ".bashrc leaves a process behind", .files = bashrc("(trap '' HUP; exec sleep 120) &")},
        {.name = ".bashrc leaves a process that prints",
            .files = bashrc("(while echo tick; do sleep 0.01; done) &"),
            .says = {u"ada@127.0.0.1 echo yes"_s}},
        {.name = ".bashrc ends the connection once",
            .always = true,
            .guards = "cut while the agent is on its way",
            .files = bashrc("[ -e ~/once ] || { touch ~/once; (sleep 0.05; kill -9 $PPID) & }")},
        {.name = ".ssh/rc prints", .files = "mkdir -m 700 $H/.ssh\n" + file(".ssh/rc", "echo rc; cat")},

        // The environment.
        {.name = "PATH is empty", .files = bashrc("PATH="), .says = {u"sh"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "PATH is odd",
            .files = bashrc("mkdir -p ~/'a b'; PATH=:.:/nope:~/'a b':/etc/passwd:$PATH; export PATH")},
        {.name = "TMPDIR is missing", .files = bashrc("export TMPDIR=/no/such TMP=/no/such")},
        {.name = "LD_PRELOAD of a library that is gone",
            .always = true,
            .guards = "every program says a line more on standard error",
            .files = bashrc("export LD_PRELOAD=/no/such/library.so")},
        {.name = "functions of bash are exported, sh is bash",
            .always = true,
            .guards = "as on Red Hat: cd, ls and rm are what a person made of them",
            .files =
                bashrc("cd() { echo \"now in $1\"; builtin cd \"$@\"; }; ls() { command ls --color=always \"$@\"; }; "
                       "rm() { command rm -i \"$@\"; }; exec() { echo exec \"$@\"; builtin exec \"$@\"; }; "
                       "export -f cd ls rm"),
            .inside = shIs("bash")},
        {.name = "options of bash are exported, sh is bash",
            .files = bashrc("set -eu -o noclobber -o xtrace; export SHELLOPTS"),
            .inside = shIs("bash")},
        {.name = "BASH_ENV prints",
            .files = file(".env", "echo from BASH_ENV >&2; exec 3>&1")
                + bashrc("export BASH_ENV=~/.env ENV=~/.env PROMPT_COMMAND='echo hm'"),
            .inside = shIs("bash")},
        {.name = "sh is zsh", .inside = shIs("zsh"), .needs = {u"zsh"_s}},
        {.name = "sh is busybox", .inside = shIs("busybox"), .needs = {u"busybox"_s}},
        {.name = "variables of coreutils",
            .files =
                bashrc("export POSIXLY_CORRECT=1 BLOCK_SIZE=1 LS_BLOCK_SIZE=human-readable QUOTING_STYLE=shell-always "
                       "TIME_STYLE='+a b c d' LS_COLORS=di=31 COLUMNS=3 CLICOLOR_FORCE=1")},
        {.name = "an unknown locale", .files = bashrc("export LC_ALL=xx_YY.nope LANG= LANGUAGE=zz")},
        {.name = "variables of 64 KB",
            .files = bashrc("for i in 1 2 3 4; do export \"BIG$i=$(head -c 65536 /dev/zero | tr '\\0' x)\"; done")},
        {.name = "more variables than a program can have",
            .files = bashrc("for i in $(seq 1 40); do export \"BIG$i=$(head -c 65536 /dev/zero | tr '\\0' x)\"; done"),
            .says = {u"Argument list too long"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "no variables but those of sshd",
            .files = bashrc("for v in $(compgen -e); do unset \"$v\"; done; export PATH=/usr/bin:/bin"),
            .says = {u"HOME"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "umask 000", .files = bashrc("umask 000")},
        {.name = "umask 0777",
            .always = true,
            .guards = "what the account makes, it cannot open",
            .files = bashrc("umask 0777")},
        {.name = "few tools",
            .always = true,
            .guards = "no tar, gzip, sha256sum, base64, python, setsid, nohup, df, tail",
            .sshd = "SetEnv PATH=%F/bin",
            .files = fewTools},

        // Home folders.
        {.name = "home with spaces, quotes and $",
            .always = true,
            .guards = "each name on the way is quoted",
            .home = "it's \"ada\" $HOME `id` \\n *; Größe 家"},
        {.name = "home is a link", .files = "mv $H $F/real; chown $U $F/real; ln -s real $H\n"},
        {.name = "home is read-only",
            .inside = "mount --bind $H $H; mount -o remount,bind,ro $H\n",
            .says = {u"cannot be written"_s, u"Read-only"_s, u"scratchDir"_s}},
        {.name = "home is read-only, scratch elsewhere",
            .files = makeElsewhere,
            .inside = "mount --bind $H $H; mount -o remount,bind,ro $H\n",
            .machine = elsewhere},
        {.name = "home is missing",
            .always = true,
            .guards = "an account that never logged in",
            .home = "nowhere/ada",
            .inside = "rmdir $H\n",
            .says = {u"cannot be written"_s, u"Permission denied"_s, u"scratchDir"_s}},
        {.name = "home is missing, scratch elsewhere",
            .home = "nowhere/ada",
            .files = makeElsewhere,
            .inside = "rmdir $H\n",
            .machine = elsewhere},
        {.name = "home of root", .inside = "chown 0 $H\n", .says = {u"cannot be written"_s, u"scratchDir"_s}},
        {.name = "home of another",
            .inside = "chown 65534 $H; chmod 755 $H\n",
            .says = {u"belongs to nobody"_s, u"scratchDir"_s}},
        {.name = "home for everybody",
            .inside = "chmod 777 $H\n",
            .says = {u"can be changed by other users"_s, u"chmod go-w"_s}},
        {.name = ".local is a file",
            .files = "echo >$H/.local\n",
            .says = {u"cannot be written"_s, u".local"_s, u"scratchDir"_s}},
        {.name = ".local of root",
            .always = true,
            .guards = "somebody once used sudo",
            .inside = "mkdir $H/.local\n",
            .says = {u"cannot be written"_s, u"Permission denied"_s, u"scratchDir"_s}},
        {.name = ".local is a link that leads nowhere",
            .files = "ln -s /no/such $H/.local\n",
            .says = {u".local"_s, u"scratchDir"_s}},
        {.name = "home with noexec",
            .always = true,
            .guards = "hardened servers",
            .inside = "mount -t tmpfs -o noexec,mode=700,uid=$U none $H\n",
            .says = {u"noexec"_s, u"scratchDir"_s}},
        {.name = "home with noexec, scratch elsewhere",
            .files = makeElsewhere,
            .inside = "mount -t tmpfs -o noexec,mode=700,uid=$U none $H\n",
            .machine = elsewhere},
        {.name = "home without room",
            .inside = "mount -t tmpfs -o size=256k,mode=700,uid=$U none $H\n",
            .says = {u"did not arrive whole"_s, u"full"_s}},
        {.name = "home without inodes",
            .inside = "mount -t tmpfs -o nr_inodes=4,mode=700,uid=$U none $H\n",
            .says = {u"No space left"_s, u"scratchDir"_s}},
        {.name = "home with inodes for the agent alone",
            .inside = "mount -t tmpfs -o nr_inodes=14,mode=700,uid=$U none $H\n",
            .says = {u"The trial's folder cannot be written"_s, u"disk is full"_s}},
        {.name = "home with little room", .inside = "mount -t tmpfs -o size=4m,mode=700,uid=$U none $H\n"},
        {.name = "an interrupted upload lies there",
            .files = "d=$H/.local/share/trialdeck-agent/bin/$(uname -m)-0123; mkdir -p $d; head -c 9999 /dev/zero "
                     ">$d/.new-x-1; "
                     "echo >$d/trialkeeper; chmod -R go= $H/.local/share/trialdeck-agent\n"},

        // The system.
        {.name = "/tmp with noexec, full",
            .inside =
                "mount --bind $F /mnt; mount -t tmpfs -o noexec,size=64k none /tmp; mkdir -p $F; mount --move /mnt $F; "
                "chmod 755 /tmp; cat /dev/zero >/tmp/full 2>/dev/null || true\n"},
        {.name = "no /proc", .inside = "mount -t tmpfs none /proc\n", .says = {u"/proc is not mounted"_s}},
        {.name = "/proc hides the processes of others", .inside = "mount -t proc -o hidepid=2 proc /proc\n"},
        {.name = "no /dev but null",
            .inside =
                "mkdir $F/dev; touch $F/dev/null; mount --bind /dev/null $F/dev/null; mount --rbind $F/dev /dev\n"},
        {.name = "a container", .wrapper = {u"unshare"_s, u"-p"_s, u"-f"_s, u"--mount-proc"_s, u"--kill-child"_s}},
        {.name = "up for ten years",
            .wrapper = {u"unshare"_s, u"-T"_s, u"-f"_s, u"--kill-child"_s, u"--boottime"_s, u"315360000"_s,
                u"--monotonic"_s, u"315360000"_s}},
        {
            .name = "a name with a space and no UTF-8",
            .inside = "printf 'a b\\377' >/proc/sys/kernel/hostname\n",
            .wrapper = {u"unshare"_s, u"-u"_s},
        },
        {.name = "no name servers",
            .sshd = "UseDNS yes",
            .inside = "echo >$F/nothing; mount --bind $F/nothing /etc/resolv.conf\n"},
        {.name = "32 open files",
            .always = true,
            .guards = "an old default of containers",
            .files = bashrc("ulimit -n 32")},
        {.name = "16 processes", .files = bashrc("ulimit -u 16")},
        {.name = "3 processes", .files = bashrc("ulimit -u 3"), .says = {u"fork"_s, u"ulimit"_s}},
        {.name = "64 MB of addresses", .files = bashrc("ulimit -v 65536")},
        {.name = "files of 100 KB", .files = bashrc("ulimit -f 100"), .says = {u"did not arrive whole"_s, u"ulimit"_s}},
        {.name = "a stack of 256 KB", .files = bashrc("ulimit -s 256; ulimit -l 0; ulimit -c 0")},
        {.name = "nice 19", .files = bashrc("renice -n 19 $$ >/dev/null; ionice -c 3 -p $$")},
        {.name = "nvidia-smi hangs",
            .always = true,
            .guards = "a driver that fell off the bus",
            .sshd = "SetEnv TRIALDECK_NVIDIA_SMI=%F/smi",
            .files = "printf '#!/bin/sh\\nexec sleep 1000\\n' >$F/smi; chmod 755 $F/smi\n"},
        {.name = "nvidia-smi prints garbage",
            .sshd = "SetEnv TRIALDECK_NVIDIA_SMI=%F/smi",
            .files = "printf '#!/bin/sh\\nhead -c 3000000 /dev/urandom; exit 9\\n' >$F/smi; chmod 755 $F/smi\n"},
        {.name = "nvidia-smi cannot be run",
            .sshd = "SetEnv TRIALDECK_NVIDIA_SMI=%F/smi",
            .files = "echo >$F/smi; chmod 644 $F/smi\n"},

        // The server.
        {.name = "one of everything",
            .always = true,
            .guards = "each connection beyond the first is refused",
            .sshd = "MaxSessions 1\nMaxStartups 1\nMaxAuthTries 1"},
        {.name = "SFTP alone",
            .sshd = "ForceCommand internal-sftp",
            .says = {u"sftp connections only"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "everything is forbidden that is not needed",
            .sshd = "PermitTTY no\nDisableForwarding yes\nAllowTcpForwarding no\nAllowStreamLocalForwarding "
                    "no\nPermitUserRC no\nAcceptEnv none\nGatewayPorts no"},
        {.name = "a banner of 64 KB",
            .always = true,
            .guards = "what is shown before a login has no limit",
            .sshd = "Banner %F/banner",
            .files = "seq 1 12000 | head -c 65536 >$F/banner\n"},
        {.name = "new keys every 16 KB",
            .always = true,
            .guards = "key exchange while the agent is sent",
            .sshd = "RekeyLimit 16K"},
        {.name = "new keys every second", .sshd = "RekeyLimit default 1"},
        {.name = "compression, pings each second",
            .sshd = "Compression yes\nClientAliveInterval 1\nClientAliveCountMax 2"},
        {.name = "key exchange by group 14", .sshd = "KexAlgorithms diffie-hellman-group14-sha256"},
        {.name = "key exchange by group exchange", .sshd = "KexAlgorithms diffie-hellman-group-exchange-sha256"},
        {.name = "cipher chacha20", .sshd = "Ciphers chacha20-poly1305@openssh.com"},
        {.name = "cipher of 2001, MAC of 2013", .sshd = "Ciphers aes128-ctr\nMACs hmac-sha2-256-etm@openssh.com"},
        {.name = "a MAC that libssh lacks",
            .sshd = "Ciphers aes128-ctr\nMACs umac-128-etm@openssh.com",
            .says = {u"useSshProgram"_s}},
        {.name = "a host key of RSA", .sshd = "HostKeyAlgorithms rsa-sha2-512", .keyType = "rsa"},
        {.name = "a host key of ECDSA", .sshd = "HostKeyAlgorithms ecdsa-sha2-nistp256", .keyType = "ecdsa"},
        {.name = "IPv6", .sshd = "AddressFamily any\nListenAddress ::1", .address = "::1"},
        {.name = "keys of another kind alone",
            .sshd = "PubkeyAcceptedAlgorithms rsa-sha2-512",
            .says = {u"key"_s, u"ada"_s}},
        {.name = "a chroot without a shell",
            .sshd = "Match User ada\nChrootDirectory %F/cage\nMatch all",
            .files = "mkdir -p $F/cage\n",
            .says = {u"ada@127.0.0.1 echo yes"_s}},
        {.name = "a key for one command",
            .files = "printf 'command=\"/bin/date\" %s\\n' \"$(cat $F/authorized_keys)\" >$F/k; cat $F/k "
                     ">$F/authorized_keys\n",
            .says = {u"did not start the agent"_s, u"ada@127.0.0.1 echo yes"_s}},
        {.name = "a key for one address",
            .files =
                "printf 'from=\"192.0.2.1\" %s\\n' \"$(cat $F/authorized_keys)\" >$F/k; cat $F/k >$F/authorized_keys\n",
            .says = {u"key"_s, u"ada"_s}},
        {.name = "an account that may not log in", .sshd = "DenyUsers ada", .says = {u"key"_s, u"ada"_s}},
        {.name = "logins are closed",
            .inside = "cp -a /etc $F/etc; echo 'Down for maintenance until Monday' >$F/etc/nologin; mount --bind "
                      "$F/etc /etc\n",
            .says = {u"maintenance"_s}},
    };
    return hosts;
}
