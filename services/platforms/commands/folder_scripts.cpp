// SPDX-License-Identifier: GPL-3.0-or-later
#include "folder_scripts.h"

#include <cstring>

using namespace Qt::StringLiterals;

namespace platforms {

namespace {

constexpr const char* movesName = "moves";
constexpr qsizetype tarBlock = 512;
constexpr qsizetype foldersAtOnce = 20; ///< arguments of one mkdir: at most 80 kB

QByteArray shWord(const QString& text)
{
    return '\'' + QString(text).replace(u'\'', u"'\\''"_s).toUtf8() + '\'';
}

/// What stands before the last slash; empty without one.
QString parentOfPath(const QString& path)
{
    return path.left(std::max<qsizetype>(path.lastIndexOf(u'/'), 0));
}

/// `f WORDS` ends the script with an error; the folder is the working directory behind this.
QByteArray opening(const QByteArray& mark, const QString& root, bool makes = false)
{
    QByteArray text = "set -f; umask 077; M=" + mark
        + "\nf() { printf '%s error %s\\n' \"$M\" \"$*\"; exit 0; }\nR=" + shWord(root) + '\n';
    if (makes)
        text += "e=$(mkdir -p \"$R\" 2>&1) || f $e\n";
    // Some shells do not say why a folder cannot be entered; ls does.
    text += "e=$(ls -d \"$R/.\" 2>&1) || f $e\n{ CDPATH=; cd -P \"$R\"; } 2>/dev/null || f Permission denied\n";
    return text;
}

const QByteArray done = "printf '%s ok\\n' \"$M\"\n";

/// A temporary folder `./$n` that goes when the script ends, however it does. Who ends it may say so several times.
QByteArray temporary(const QByteArray& mark)
{
    return QByteArray("n=") + folderTemporary + mark
        + "\nS='HUP INT TERM PIPE'\ntrap 'trap \"\" $S; rm -rf \"./$n\"' EXIT\ntrap 'trap \"\" $S; exit 1' $S\n"
          "e=$(mkdir \"./$n\" 2>&1) || f $e\n";
}

QByteArray octal(qint64 number, int width)
{
    return QByteArray::number(number, 8).rightJustified(width - 1, '0') + '\0';
}

/// One file of a tar, in the format of POSIX.1-1988 (ustar). The name has at most 100 bytes.
void addToTar(QByteArray& tar, const QByteArray& name, const QByteArray& bytes, bool executable)
{
    QByteArray header(tarBlock, '\0');
    const auto put = [&header](qsizetype at, const QByteArray& text) { header.replace(at, text.size(), text); };
    put(0, name.left(100));
    put(100, octal(executable ? 0700 : 0600, 8));
    put(108, octal(0, 8)); // owner and group
    put(116, octal(0, 8));
    put(124, octal(bytes.size(), 12));
    put(136, octal(0, 12)); // time
    put(148, QByteArray(8, ' '));
    put(156, "0"); // a file
    put(257,
        QByteArray("ustar\0"
                   "00",
            8));
    qint64 sum = 0;
    for (const char byte : header)
        sum += quint8(byte);
    put(148, octal(sum, 7) + ' ');
    tar += header + bytes;
    tar += QByteArray((tarBlock - bytes.size() % tarBlock) % tarBlock, '\0');
}

} // namespace

QByteArray prepareScript(const QByteArray& mark, const QString& root)
{
    // By a program: the echo of some shells does not say why it could not write.
    return opening(mark, root, true) + "n=" + folderTemporary + mark
        + "\ne=$( { env echo x >\"./$n\"; } 2>&1 ) || { rm -f \"./$n\" 2>/dev/null; f $e; }\n"
          "e=$(rm -f \"./$n\" 2>&1) || f $e\n"
          "find . ! -name . -prune -name '"
        + folderTemporary + "*' \\( ! -name '" + folderTemporary + mark.first(folderOwnerLength)
        + "*' -o -mtime +0 \\) -exec rm -rf {} + 2>/dev/null\n"
          "e=$(df -Pk . 2>&1) || f $e\nprintf '%s space %s\\n' \"$M\" \"$(printf '%s\\n' \"$e\" | tail -n 1)\"\n"
        + done;
}

QByteArray readScript(const QByteArray& mark, const QString& root, const QList<FolderRead>& reads, qint64 total)
{
    // r PATH OFFSET LIMIT IDENTITY. `ls -dni` prints inode, mode, links, owner, group, size. A link is not followed. `tail` seeks.
    QByteArray text = opening(mark, root) + "L=" + QByteArray::number(total) + "; N=" + QByteArray::number(reads.size())
        + "\nr() { p=./$1; o=$2; l=$3; d=$4; set -- $(ls -dni \"$p\" 2>&1)\n"
          "case $2 in -*) n=$(($6 - o)); q=$((L / N)); case $d in ''|\"$1\") ;; *) n=0;; esac\n"
          "if [ $n -gt $l ]; then n=$l; fi; if [ $n -gt $q ]; then n=$q; fi; if [ $n -lt 0 ]; then n=0; fi\n"
          "printf '\\n%s file %s %s %s\\n' \"$M\" \"$1\" \"$6\" $n\n"
          "if [ $n -gt 0 ]; then tail -c +$((o + 1)) \"$p\" 2>/dev/null </dev/null | head -c $n; fi; L=$((L - n));;\n"
          "[bcdlps]?????????*) printf '\\n%s none it is not a file\\n' \"$M\";;\n"
          "*) printf '\\n%s none %s\\n' \"$M\" \"$*\";; esac; N=$((N - 1)); }\n";
    for (const FolderRead& read : reads)
        text += "r " + shWord(read.path) + ' ' + QByteArray::number(read.offset) + ' ' + QByteArray::number(read.limit)
            + ' ' + shWord(QString::fromLatin1(read.identity)) + '\n';
    return text + "printf '\\n%s ok\\n' \"$M\"\n";
}

QByteArray namesScript(const QByteArray& mark, const QString& root, const QString& folder, qint64 limit)
{
    return opening(mark, root) + "e=$(ls -d ./" + shWord(folder) + "/. 2>&1) || f $e\ncd -P ./" + shWord(folder)
        + " || f Permission denied\nprintf '%s names\\n' \"$M\"; find . ! -name . -print0 2>/dev/null </dev/null | "
          "head -c "
        + QByteArray::number(limit) + "; printf '\\n%s ok\\n' \"$M\"\n";
}

QByteArray statScript(const QByteArray& mark, const QString& root, const QStringList& paths)
{
    QByteArray text = opening(mark, root)
        + "s() { printf '%s stat %s\\n' \"$M\" \"$(stat -c '%f %s %Y' \"./$1\" 2>&1 | tail -n 1)\"; }\n";
    for (const QString& path : paths)
        text += "s " + shWord(path) + '\n';
    return text + done;
}

QByteArray removeScript(const QByteArray& mark, const QString& root, const QStringList& paths)
{
    // A trial may have taken the right to change its own folders away.
    QByteArray text = opening(mark, root)
        + "H=$(pwd -P); case $H in /) H=;; esac\n"
          "x() { case $1 in */*) w=$(cd -P \"./${1%/*}\" 2>/dev/null && pwd -P) || return 0; "
          "[ \"$w\" = \"$H/${1%/*}\" ] || { printf '%s link %s\\n' \"$M\" \"$2\"; return 0; };; esac\n"
          "rm -rf \"./$1\" 2>/dev/null || { chmod -R u+rwx \"./$1\" 2>/dev/null; e=$(rm -rf \"./$1\" 2>&1) || "
          "printf '%s left %s %s\\n' \"$M\" \"$2\" \"$(printf '%s\\n' \"$e\" | tail -n 1)\"; }; }\n";
    for (qsizetype i = 0; i < paths.size(); ++i)
        text += "x " + shWord(paths[i]) + ' ' + QByteArray::number(i) + '\n';
    return text + done;
}

QByteArray hasFolderScript(const QByteArray& mark, const QString& root, const QString& folder)
{
    return opening(mark, root) + "if [ -d ./" + shWord(folder) + " ]; then printf '%s there\\n' \"$M\"; fi\n" + done;
}

QByteArray putScript(const QByteArray& mark, const QString& root)
{
    return opening(mark, root) + temporary(mark)
        + "e=$(tar -xof - -C \"./$n\" 2>&1) || f $e\n"
          "m() { if [ -d \"./$2\" ]; then f \"./$2: Is a directory\"; fi; mv -f \"./$n/$1\" \"./$2\" 2>\"./$n/e\" || { "
          "read -r e <\"./$n/e\"; f $e; }; }\n"
          "d() { e=$(mkdir -p \"$@\" 2>&1) || f $e; }\n. \"./$n/"
        + movesName + "\"\n" + done;
}

QByteArray putInput(const QList<FolderFile>& files)
{
    QByteArray tar;
    QByteArray moves;
    QStringList folders;
    for (qsizetype i = 0; i < files.size(); ++i) {
        addToTar(tar, QByteArray::number(i), files[i].bytes, files[i].executable);
        moves += "m " + QByteArray::number(i) + ' ' + shWord(files[i].path) + '\n';
        if (const QString folder = parentOfPath(files[i].path); !folder.isEmpty())
            folders += folder;
    }
    folders.removeDuplicates();
    QByteArray makes;
    for (qsizetype i = 0; i < folders.size(); ++i)
        makes += (i % foldersAtOnce == 0 ? "\nd ./" : " ./") + shWord(folders[i]);
    moves.prepend(makes + '\n');
    addToTar(tar, movesName, moves, false);
    return tar + QByteArray(2 * tarBlock, '\0');
}

QByteArray unpackScript(const QByteArray& mark, const QString& root, const QString& folder)
{
    const QString parent = parentOfPath(folder);
    QByteArray text = opening(mark, root) + "t=./" + shWord(folder) + "\nif [ -d \"$t\" ]; then " + done.trimmed()
        + "; exit 0; fi\n" + temporary(mark) + "e=$(tar -xzof - -C \"./$n\" 2>&1) || f $e\n";
    if (!parent.isEmpty())
        text += "e=$(mkdir -p ./" + shWord(parent) + " 2>&1) || f $e\n";
    // Another service may have been faster: with -T, which not every mv has, a folder with content is not replaced, and without it
    // ours is moved into that folder.
    return text
        + "e=$(mv -T \"./$n\" \"$t\" 2>&1)\nif [ -d \"./$n\" ] && ! [ -d \"$t\" ]; then e=$(mv \"./$n\" \"$t\" 2>&1) "
          "|| f $e; fi\n"
          "if [ -d \"$t/$n\" ]; then rm -rf \"$t/$n\"; fi\nif ! [ -d \"$t\" ]; then f $e; fi\n"
        + done;
}

QByteArray streamScript(const QByteArray& mark, const QString& root, const QString& path, qint64 size, bool executable)
{
    const QString parent = parentOfPath(path);
    QByteArray text = opening(mark, root) + temporary(mark) + "e=$( { cat >\"./$n/0\"; } 2>&1 ) || f $e\n"
        + "s=$(wc -c <\"./$n/0\"); [ $s -eq " + QByteArray::number(size)
        + " ] || f the file arrived with $s bytes\nchmod " + (executable ? "700" : "600") + " \"./$n/0\"\n";
    if (!parent.isEmpty())
        text += "e=$(mkdir -p ./" + shWord(parent) + " 2>&1) || f $e\n";
    return text + "if [ -d ./" + shWord(path) + " ]; then f Is a directory; fi\ne=$(mv -f \"./$n/0\" ./" + shWord(path)
        + " 2>&1) || f $e\n" + done;
}

} // namespace platforms
