// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent_bootstrap.h"

#include "services/core/printable.h"
#include "services/wire/names.h"
#include "services/wire/strict.h"

using namespace Qt::StringLiterals;

namespace transport {

namespace {

constexpr qsizetype mostNoise = 4 * 1024;
constexpr qsizetype mostRecent = 2 * 1024;
constexpr qsizetype longestLine = 16 * 1024;
constexpr qsizetype longestQuote = 300;

/// A text as one line of standard input.
QByteArray oneLine(QString text)
{
    return text.replace(u'\n', u' ').toUtf8() + '\n';
}

/// `fail strict PATH owner:UID:NAME` or `fail strict PATH mode:MODE`, MODE as `ls` prints it; the last word has no space.
Error strictRefusal(const QString& detail)
{
    const qsizetype space = detail.lastIndexOf(u' ');
    const std::string path = detail.left(space).toStdString();
    const QString why = detail.mid(space + 1);
    const auto part = [&why](int number) { return why.section(u':', number, number).toStdString(); };
    const std::string text = why.startsWith(u"owner:"_s)
        ? trialkeeper::belongsToAnother(path, trialkeeper::userText(part(1), part(2)))
        : trialkeeper::notOursAlone(path, part(1));
    return {Kind::invalid, QString::fromStdString(text), detail};
}

} // namespace

QString quoted(const QString& printed)
{
    const QString text = printed.trimmed();
    return text.size() <= longestQuote ? printable(text)
                                       : u'…' + printable(text.right(longestQuote).trimmed(), longestQuote);
}

AgentBootstrap::AgentBootstrap(QList<KeeperFile> keepers, AgentPlace place, const QByteArray& nonce)
    : m_keepers(std::move(keepers))
    , m_place(std::move(place))
    , m_mark("trialdeck-" + nonce + ' ')
{
}

QByteArray AgentBootstrap::command() const
{
    // Every shell leaves what stands between ' ' alone, if there is no ' \ ! or line break in it (csh minds the latter two). The
    // script is POSIX sh. `read` takes no more than its line; after `send` nothing follows until `head` has what it counts.
    //
    // What others can change is neither run nor written to, as sshd's StrictModes has it. `td_c` looks at one path, by its type and
    // mode as `ls` prints them (find and stat are not everywhere): d a folder of the agent's, - its program, both of this account or
    // root and writable by nobody else; a folder above them (a) may be a group's, and for all where it is sticky. `par` looks at the
    // real path to the agent's folder. The program is reached from its folder as the working directory, looked at once more from
    // there: a folder above that is exchanged meanwhile changes nothing. Its hash is compared wherever there is sha256sum.
    // `command`: where sh is bash, a function that a person exports may stand for cd, and print. What goes well says nothing of itself on
    // standard error, but the dynamic linker may (LD_PRELOAD), so that is only read where there is a failure.
    //
    // The machine's preCommand runs in this shell, for what it exports. What is needed after it has names with td_, and nothing else is
    // assigned then but in a subshell: a variable of the preCommand's goes to trials as it is. The account's umask holds again from
    // there on, as it is the trials'; what the agent makes has modes of its own.
    QByteArray known;
    for (const KeeperFile& keeper : m_keepers)
        known += keeper.arch.toLatin1() + ") s=" + keeper.sha256 + "; z=" + QByteArray::number(keeper.size) + ";; ";
    QByteArray script =
        "td_s() { echo \"MARK$*\"; }; td_f() { td_s fail \"$@\"; exit 3; }; "
        "td_c() { e=$(ls -ldn \"$2\" 2>/dev/null) || td_f dir $(ls -ldn \"$2\" 2>&1); set -- \"$1\" \"$2\" $e; "
        "case $5 in 0|$u) ;; *) set -- \"$2\" $5 $(ls -ld \"$2\"); td_f strict \"$1\" owner:$2:$5;; esac; "
        "case $1$3 in a?????????[tT]*) return;; ?????????w*|[-d]?????w*) ;; a*|dd*|--*) return;; esac; "
        "td_f strict \"$2\" mode:$3; }; "
        "par() { q=$(command cd -P \"$1\" 2>&1 && pwd) || td_f dir $q; "
        "while td_c a \"${q:-/}\"; [ \"$q\" ]; do q=${q%/*}; done; }; "
        "same() { h=$(sha256sum <\"$1\" 2>/dev/null); h=${h%% *}; [ \"${h:-$s}\" = $s ]; }; "
        "w=$(umask); umask 077; read -r b && read -r p && read -r x || td_f in; "
        "m=$(uname -m); case $m in arm64) m=aarch64;; amd64) m=x86_64;; esac; "
        "k=$(uname -s); [ $k = Linux ] || td_f system $k; "
        "case $m in KNOWN*) td_f arch $m;; esac; "
        "case $b in \"\") b=${HOME:?}/.local/share/trialdeck-agent;; \"~\"/*) b=${HOME:?}/${b#??};; esac; "
        "u=$(id -u); o=$PWD; d=$b/bin/$m-$s; f=./trialkeeper; "
        "[ -d \"$b\" ] || { q=$b; until [ -d \"$q/\" ]; do q=${q%/*}; done; par \"$q/\"; "
        "e=$(mkdir -p \"$b\" 2>&1) || td_f dir $e; }; "
        "par \"${b%/*}/\"; td_c d \"$b\"; "
        "for q in \"$b/bin\" \"$d\"; do e=$(mkdir -p \"$q\" 2>&1) || td_f dir $e; td_c d \"$q\"; done; "
        "cd \"$d\" || td_f dir; td_c d .; "
        "if [ -e $f ]; then td_c - \"$d/trialkeeper\"; fi; "
        "if [ -x $f ] && same $f; then :; else "
        "t=./.new-$(uname -n)-$$; "
        "e=$( { : >\"$t\"; } 2>&1 ) || td_f dir $e; "
        "td_s send $m || exit 3; "
        "e=$( { head -c $z >|\"$t\"; } 2>&1 ) || { rm -f \"$t\"; td_f write $e; }; "
        "same \"$t\" || { e=$(df -k . 2>/dev/null | tail -n 1); rm -f \"$t\"; td_f sum $e; }; "
        "chmod 700 \"$t\"; "
        "e=$(\"$t\" --version 2>&1) || { rm -f \"$t\"; td_f exec $e; }; "
        "mv -f \"$t\" $f || td_f dir; "
        "fi; "
        "cd \"$o\"; case $p in \"\") ;; *) PATH=$p:$PATH; export PATH;; esac; "
        "td_b=$b; td_d=$d; td_m=$m; td_u=$u; umask $w; "
        "case $x in \"\") ;; *) eval \"$x\" >&2 </dev/null || { td_r=$?; (unset IFS; td_f setup $td_r); exit 3; };; "
        "esac; "
        "cd \"$td_d\" || exit 3; "
        "(unset IFS; set +eu; u=$td_u; td_c d .; td_c - ./trialkeeper; td_s run $td_m) || exit 3; "
        "START \"$td_b\"";
    // Not as it is printed: a shell may print what it is given.
    script.replace("MARK", "trial\"\"" + m_mark.mid(5));
    script.replace("KNOWN", known);
    script.replace("START", QByteArrayView(trialkeeper::agentStart));
    return "exec sh -c '" + script + '\'';
}

QByteArray AgentBootstrap::preamble() const
{
    QString base = m_place.base;
    while (base.size() > 1 && base.endsWith(u'/'))
        base.chop(1); // with one `ls` would look at where a link leads
    return oneLine(base) + oneLine(m_place.path) + oneLine(m_place.setup);
}

void AgentBootstrap::addNoise(const QByteArray& bytes)
{
    m_noise = (m_noise + bytes).left(mostNoise);
    m_recent = (m_recent + bytes).right(mostRecent);
}

AgentBootstrap::Event AgentBootstrap::feed(const QByteArray& bytes)
{
    m_buffer += bytes;
    while (true) {
        const qsizetype end = m_buffer.indexOf('\n');
        if (end < 0) {
            // What is too long for a line of ours is noise, but for a mark that begins in it.
            if (m_buffer.size() > longestLine) {
                const qsizetype mark = m_buffer.indexOf(m_mark);
                const qsizetype noise = mark > 0 ? mark : m_buffer.size() - m_mark.size() + 1;
                addNoise(m_buffer.left(noise));
                m_buffer.remove(0, noise);
            }
            return Event::none;
        }
        QByteArray line = m_buffer.left(end);
        m_buffer.remove(0, end + 1);
        // What was printed without a line's end stands before the mark.
        const qsizetype mark = line.indexOf(m_mark);
        if (mark != 0)
            addNoise((mark < 0 ? line : line.left(mark)) + '\n');
        if (mark < 0)
            continue;
        line.remove(0, mark + m_mark.size());
        const QByteArray word = line.left(line.indexOf(' ') < 0 ? line.size() : line.indexOf(' '));
        const QByteArray more = line.mid(word.size()).trimmed();
        if (word == "send") {
            m_arch = QString::fromLatin1(more);
            for (const KeeperFile& keeper : m_keepers) {
                if (keeper.arch == m_arch) {
                    m_wanted = keeper;
                    m_sent = true;
                    return Event::send;
                }
            }
            m_error = refusal("arch", m_arch);
            return Event::failed;
        }
        if (word == "run") {
            m_arch = QString::fromLatin1(more);
            return Event::run;
        }
        const QByteArray what = more.left(more.indexOf(' ') < 0 ? more.size() : more.indexOf(' '));
        m_failedInSetup = what == "setup";
        m_error = refusal(what, QString::fromUtf8(more.mid(what.size()).trimmed()));
        return Event::failed;
    }
}

Error AgentBootstrap::refusal(const QByteArray& what, const QString& detail) const
{
    const QString base = m_place.base.isEmpty() ? u"~/.local/share/trialdeck-agent"_s : m_place.base;
    if (what == "system")
        return {Kind::invalid, u"This machine runs %1; trials need Linux."_m.arg(detail), {}};
    if (what == "arch") {
        QStringList names;
        for (const KeeperFile& keeper : m_keepers)
            names += keeper.arch;
        return {Kind::invalid,
            u"This machine has a processor of the kind %1; this Trialdeck brings the agent for %2."_m.arg(
                detail, names.join(u", "_s)),
            {}};
    }
    if (what == "strict")
        return strictRefusal(detail);
    if (what == "dir")
        return {Kind::resource,
            u"The agent's folder %1 cannot be written: %2. Choose another one with the machine's scratchDir."_m.arg(
                base, detail.isEmpty() ? u"no reason was given"_m : Message(detail)),
            detail};
    if (what == "write" || what == "sum")
        return {Kind::resource,
            u"The agent did not arrive whole in %1%2; the disk may be full, or a quota or a limit (ulimit) reached. "
            u"Make room "
            u"there, or choose another folder with the machine's scratchDir."_m.arg(
                base, detail.isEmpty() ? Message() : u" ("_m + quoted(detail) + u')'),
            detail};
    if (what == "in")
        return {Kind::platform,
            u"The login shell gives commands another standard input than the connection's. What it reads first "
            u"(~/.bashrc or the "
            u"like) must not close or replace it."_m,
            detail};
    if (what == "exec")
        return {Kind::resource,
            u"Programs cannot run from %1 (the file system may be mounted with noexec). Choose another folder with the "
            u"machine's scratchDir."_m.arg(base),
            detail};
    if (what == "setup")
        return {Kind::platform, u"The machine's preCommand failed with exit code %1."_m.arg(detail), detail};
    return {Kind::platform, u"The machine's shell answered something unknown."_m, detail};
}

Error AgentBootstrap::failedAfter(const QString& standardError) const
{
    Error error = m_error;
    if (m_place.setup.isEmpty() || standardError.isEmpty())
        return error;
    if (m_failedInSetup)
        error.message = u"%1: %2"_m.arg(error.message.text().chopped(1), quoted(standardError));
    else
        error.message += u" Before that, the machine's preCommand or its login shell said: "_m + quoted(standardError);
    return error;
}

Error AgentBootstrap::endedEarly(int exitCode, const QString& standardError, const QString& byHand) const
{
    const QString said = standardError.isEmpty() ? lastPrinted() : standardError;
    Message text = u"The account's shell did not start the agent (exit code %1)"_m.arg(exitCode);
    if (!said.isEmpty())
        text += u"; it said: "_m + quoted(said);
    text += text.endsWith(u'.') ? u" "_s : u". "_s;
    text += m_place.setup.isEmpty()
        ? u"It must run the command that it is given: test it with "_m
        : u"It must run the command that it is given, and the machine's preCommand must not end it: test it with "_m;
    return {Kind::platform, text + byHand, said};
}

} // namespace transport
