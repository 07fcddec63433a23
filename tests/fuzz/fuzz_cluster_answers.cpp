// SPDX-License-Identifier: GPL-3.0-or-later
// What a login node prints: a command's output between marks, and the answers of scripts about a shared folder.
#include "fuzz_driver.h"

#include "services/platforms/commands/command_frame.h"
#include "services/platforms/commands/folder_answers.h"

using namespace platforms;

namespace {

const QByteArray mark = "m1";

QByteArray unframed(const QByteArray& stream, qsizetype size, FramedOutput& framed)
{
    QByteArray output;
    for (qsizetype at = 0; at < stream.size(); at += size)
        output += framed.feed(stream.mid(at, size));
    return output + framed.finish();
}

void fuzzFrame(const QByteArray& text)
{
    const qsizetype size = 1 + (text.isEmpty() ? 0 : quint8(text.front()));
    FramedOutput whole(mark);
    FramedOutput pieces(mark);
    require(unframed(text, text.size() + 1, whole) == unframed(text, size, pieces), "it does not matter how it is cut");
    require(whole.state() == pieces.state() && whole.exitCode() == pieces.exitCode() && whole.pid() == pieces.pid(),
        "nor for what is known of the command");
    require(whole.pid() == 0 || whole.pid() > 1, "no process that is not a command's is signalled");
    if (text.contains(mark))
        return;
    // Whatever a command prints comes back, with whatever startup files print around it.
    FramedOutput framed(mark);
    require(unframed(text + mark + " s 1 77\n" + text + mark + " e 9\n" + text, size, framed) == text
            && framed.state() == FramedOutput::State::ended && framed.exitCode() == 9 && framed.pid() == 77,
        "a command's output comes back");
}

void fuzzAnswer(const QByteArray& text)
{
    const QList<FolderRead> reads{{QStringLiteral("a"), 3, 100, {}}, {QStringLiteral("b"), 0, 10, "7"}};
    const auto answer = FolderAnswer::parse(mark, text, text.left(100), QStringLiteral("h"), QStringLiteral("/r"));
    if (!answer)
        return;
    if (const auto bytes = answer->bytes(reads)) {
        require(bytes->size() == reads.size(), "each file has its answer");
        for (qsizetype i = 0; i < reads.size(); ++i)
            require(
                bytes->at(i).bytes.size() <= reads[i].limit && bytes->at(i).size >= 0, "no more than was asked for");
    }
    if (const auto space = answer->space())
        require(space->freeBytes >= 0, "space is not negative");
    for (const QByteArray& name : answer->names())
        require(isFolderPath(QString::fromUtf8(name)), "a name stays in the folder");
    for (const FileEntry& file : answer->entries({QStringLiteral("a"), QStringLiteral("b")}))
        require(file.size >= 0 && file.modified >= 0 && !file.type.isEmpty(), "an entry can be shown");
    (void)answer->removed({QStringLiteral("a")});
}

} // namespace

void fuzzOne(std::string_view data)
{
    const QByteArray text(data.data(), qsizetype(data.size()));
    fuzzFrame(text);
    fuzzAnswer(text);
    // What two files hold comes back.
    const QByteArray body = text.left(100);
    if (body.contains(mark))
        return;
    const QByteArray number = QByteArray::number(body.size());
    const auto answer = FolderAnswer::parse(mark,
        text.contains(mark) ? QByteArray()
                            : "\nm1 file 7 1000 " + number + "\n" + body + "\nm1 none x No such file\n\nm1 ok\n",
        {}, QStringLiteral("h"), QStringLiteral("/r"));
    if (text.contains(mark))
        return;
    const auto bytes = answer->bytes({{QStringLiteral("a"), 3, 100, {}}, {QStringLiteral("b"), 0, 10, {}}});
    require(
        bytes && bytes->at(0).bytes == body && bytes->at(1).state == FolderBytes::State::missing, "a file comes back");
}
