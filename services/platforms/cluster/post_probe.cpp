// SPDX-License-Identifier: GPL-3.0-or-later
#include "post_probe.h"

#include "services/core/files/atomic_file.h"
#include "services/core/logging.h"
#include "services/platforms/json_members.h"
#include "services/trial/ingest_token.h"
#include "services/trial/trial_command.h"

#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr int silentExit = 41;
constexpr int anotherExit = 42;
constexpr int untrustedExit = 43;
constexpr int untriedExit = 44;
constexpr qint64 mostKept = 4'096; ///< bytes of the file

// %1 the address, %2 the mark in its answer, both quoted for sh; %3 host, %4 port and %5 path for bash, which speaks http alone. Python comes
// first: it has the proxies, certificates and names of the scripts that post later.
constexpr QLatin1StringView probeScript = R"sh(url=%1
mark=%2
if command -v python3 >/dev/null 2>&1; then
    python3 - "$url" "$mark" <<'END'
import ssl, sys, urllib.error, urllib.request
try:
    said = urllib.request.urlopen(sys.argv[1], timeout=10).read(1000)
except urllib.error.HTTPError:
    sys.exit(42)
except urllib.error.URLError as error:
    sys.exit(43 if isinstance(error.reason, ssl.SSLError) else 41)
except Exception:
    sys.exit(41)
sys.exit(0 if sys.argv[2].encode() in said else 42)
END
    code=$?
    case $code in 0|41|42|43) exit $code ;; esac
fi
if command -v curl >/dev/null 2>&1; then
    said=$(curl --silent --max-time 10 "$url")
    case $? in
    0) case $said in *"$mark"*) exit 0 ;; *) exit 42 ;; esac ;;
    35|51|58|60|77|83) exit 43 ;;
    *) exit 41 ;;
    esac
fi
host=%3
if [ -n "$host" ] && command -v timeout >/dev/null 2>&1 && command -v bash >/dev/null 2>&1; then
    said=$(timeout 10 bash -c 'exec 3<>"/dev/tcp/$0/$1" || exit 41
printf "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n" "$2" "$0" >&3
cat <&3' "$host" %4 %5 2>/dev/null)
    case $said in
    *"$mark"*) exit 0 ;;
    ?*) exit 42 ;;
    *) exit 41 ;;
    esac
fi
exit 44
)sh"_L1;

Message foundOf(PostReach reach, const QString& url)
{
    switch (reach) {
    case PostReach::reached:
        return u"trials reach %1"_m.arg(url);
    case PostReach::silent:
        return u"a node has no connection to %1"_m.arg(url);
    case PostReach::another:
        return u"something answers at %1 on a node, which is not this service"_m.arg(url);
    case PostReach::untrusted:
        return u"a node does not trust the certificate of %1"_m.arg(url);
    case PostReach::untried:
        return u"not tried: the image has neither python3 nor curl"_m;
    }
    Q_UNREACHABLE();
}

Message remedyOf(PostReach reach)
{
    if (reach == PostReach::untried)
        return u"Trials get the address all the same."_m;
    if (reach == PostReach::untrusted)
        return u"Trials are not told the address, and their metrics come as always. To have them post, give the service a certificate that the image trusts, and check again."_m;
    return u"Trials are not told the address, and their metrics come as always. To have them post, start the service with an address that nodes reach (--ingest-url), and check again."_m;
}

} // namespace

QString postProbeCommand(const PostAddress& address)
{
    const QUrl url(address.url + u"/ingest/v1"_s);
    const bool isPlain = url.scheme() == "http"_L1;
    return QString(probeScript)
        .arg(trial::shellQuoted(url.toString(QUrl::FullyEncoded)),
            trial::shellQuoted(QString::fromLatin1(address.mark)),
            trial::shellQuoted(isPlain ? url.host(QUrl::FullyEncoded) : QString()), QString::number(url.port(80)),
            trial::shellQuoted(url.path(QUrl::FullyEncoded)));
}

std::optional<PostReach> postReachOf(int exitCode)
{
    switch (exitCode) {
    case 0:
        return PostReach::reached;
    case silentExit:
        return PostReach::silent;
    case anotherExit:
        return PostReach::another;
    case untrustedExit:
        return PostReach::untrusted;
    case untriedExit:
        return PostReach::untried;
    default:
        return {};
    }
}

QString PostProbe::file() const
{
    return u"%1/platforms/%2/posts.json"_s.arg(m_context->dataDir, m_context->id.value);
}

QString PostProbe::command() const
{
    return address().url.isEmpty() ? u"exit 0"_s : postProbeCommand(address());
}

std::optional<PostReach> PostProbe::reachOf(std::optional<int> exitCode) const
{
    return exitCode && !address().url.isEmpty() ? postReachOf(*exitCode) : std::nullopt;
}

void PostProbe::report(PostReach reach, CheckSteps& step) const
{
    const Message found = foundOf(reach, address().url);
    if (reach == PostReach::reached)
        step(u"posts"_s, u"Metrics by posts"_m, found, Message());
    else
        step.warn(u"posts"_s, u"Metrics by posts"_m, found, remedyOf(reach));
    const bool hasFailed = reach != PostReach::reached && reach != PostReach::untried;
    Result<> kept;
    if (!QDir().mkpath(QFileInfo(file()).path()))
        kept = fail(Kind::resource, u"The folder %1 cannot be made."_m.arg(QFileInfo(file()).path()));
    else
        kept = writeAtomically(file(),
            dumpJson(Json::object({{"url", address().url}, {"cluster", QString::fromLatin1(m_context->cluster)},
                {"isReached", !hasFailed}})));
    if (!kept)
        qCWarning(lcPlatform) << "what a check found of the way to posts is not kept:" << kept.error().message;
}

bool PostProbe::hasFailed() const
{
    QFile kept(file());
    if (address().url.isEmpty() || !kept.open(QIODevice::ReadOnly))
        return false;
    const Result<Json> found = parseJson(kept.read(mostKept));
    const Json* isReached = found ? memberOf(*found, "isReached") : nullptr;
    return isReached && *isReached == false && textOf(*found, "url") == address().url
        && textOf(*found, "cluster").toLatin1() == m_context->cluster;
}

void withholdPosts(const PostProbe& probe, QList<TrialSpec>& specs)
{
    const bool hasAny = std::any_of(specs.cbegin(), specs.cend(),
        [](const TrialSpec& spec) { return spec.environment.contains(QString(trial::ingestUrlVariable)); });
    if (!hasAny || !probe.hasFailed())
        return;
    for (TrialSpec& spec : specs) {
        spec.environment.remove(QString(trial::ingestUrlVariable));
        spec.environment.remove(QString(trial::ingestTokenVariable));
    }
}

} // namespace platforms
