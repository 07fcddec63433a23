// SPDX-License-Identifier: GPL-3.0-or-later
// What an API server of Kubernetes answers: Status objects and other bodies, watches, lists.
#include "fuzz_driver.h"

#include "services/platforms/kubernetes/exec_channels.h"
#include "services/platforms/kubernetes/kube_status.h"
#include "services/platforms/kubernetes/object_list.h"
#include "services/platforms/kubernetes/watch_lines.h"

using namespace Qt::StringLiterals;
using namespace platforms;
using namespace platforms::kubernetes;

namespace {

void checkError(const Error& error)
{
    require(!error.message.isEmpty() && error.message.hasKey(), "an error is a sentence of ours");
    require(!error.message.contains(u"\n") && !error.detail.contains(u'\n'), "an error is one line");
    require(error.message.size() < 2'000 && error.detail.size() < 2'000, "an error is of bounded size");
}

void checkStatus(const QByteArray& text)
{
    for (const int code : {401, 403, 404, 409, 410, 422, 429, 500, 504}) {
        transport::HttpReply reply;
        reply.status = code;
        reply.body = text;
        reply.url = QUrl(u"https://kube.lab:6443"_s);
        const KubeRefusal refusal = refusalOf(reply);
        checkError(refusal.error);
        require(refusal.end.status == code, "the answer's own status decides");
        require((code == 410) == (refusal.what == Refusal::expired), "410 is what is too old");
        require(refusal.status.causes.size() <= 64, "causes are bounded");
    }
    if (const auto json = parseJson(text)) {
        const KubeRefusal refusal = refusalOf(*json);
        checkError(refusal.error);
        require(refusal.end.status >= 300, "an event of error is a failure");
    }
}

void checkEvent(const Result<WatchEvent>& event)
{
    if (!event) {
        checkError(event.error());
        return;
    }
    require(event->object.is_object(), "an event has an object");
    const Json* metadata = memberOf(event->object, "metadata");
    require(!metadata || !memberOf(*metadata, "managedFields"), "managed fields are dropped");
}

/// A message of a command in a container, and its end.
void checkChannels(const QByteArray& text)
{
    ExecChannels channels;
    const ExecChannels::Output taken = channels.take({transport::WebSocketOpcode::binary, text});
    require(
        taken.output.size() + taken.errors.size() < std::max<qsizetype>(text.size(), 1), "what came is what was sent");
    (void)channels.take({transport::WebSocketOpcode::binary, "\3" + text});
    const auto end = channels.end();
    if (end && *end)
        require(**end >= 0 && **end <= 255, "an exit code is a byte");
    else if (end)
        checkError(end->error());
}

/// The same lines, however the bytes are cut.
void checkLines(const QByteArray& text)
{
    WatchLines whole;
    whole.push(text);
    QByteArrayList lines;
    while (const auto line = whole.next()) {
        require(!line->isEmpty() && !line->contains('\n'), "a line is one");
        checkEvent(readWatchLine(*line));
        lines += *line;
    }
    WatchLines cut;
    QByteArrayList again;
    qsizetype at = 0;
    for (qsizetype size = 1; at < text.size(); size = size % 7 + 1) {
        const qsizetype taken = std::min(size, text.size() - at);
        cut.push(QByteArrayView(text).sliced(at, taken));
        at += taken;
        while (const auto line = cut.next())
            again += *line;
    }
    require(lines == again, "cuts change nothing");
    require(whole.pending() == cut.pending(), "what is left is the same");
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    checkStatus(text);
    checkLines(text);
    checkChannels(text);
    checkEvent(readWatchLine(text));
    const SlimObject slim = [](const Json& object) { return object; };
    const auto page = readObjectPage(text, slim, true);
    if (!page) {
        checkError(page.error());
        return;
    }
    require(!page->version.isEmpty(), "a list has a version");
    for (const KubeObject& object : page->objects)
        require(object.key.contains(u'/') && !object.key.endsWith(u'/'), "an object has a name");
}
