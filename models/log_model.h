// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/client/engine_client.h"

#include <QObject>
#include <QRegularExpression>
#include <QTimer>

namespace models {

/// Severity of a log line, guessed from its words.
enum class LogSeverity { plain, warning, error };

/// A line's displayed text: without terminal escapes and text that a carriage return overwrote, control characters replaced by
/// their Unicode pictures, without bidirectional marks, at most `longest` characters.
[[nodiscard]] QString logLineText(QByteArrayView line, qsizetype longest = 4000);
[[nodiscard]] LogSeverity logSeverity(QByteArrayView line);

/// A part of one log of one trial, read by ranges: the end first, earlier parts on request, and new bytes while it is followed.
/// Line starts are indexed as bytes arrive; lines are decoded when they are shown. GUI thread.
class LogModel : public QObject
{
    Q_OBJECT
public:
    /// `client` is not owned and must outlive the model.
    explicit LogModel(client::EngineClient& client, QObject* parent = nullptr);

    /// `isLive`: the trial may still write.
    void open(const core::TrialId& trial, const QString& name, bool isLive);
    void close();
    void setLive(bool isLive);
    void setFollowed(bool isFollowed);
    [[nodiscard]] bool isFollowed() const { return m_isFollowed; }
    [[nodiscard]] const core::TrialId& trial() const { return m_trial; }
    [[nodiscard]] const QString& name() const { return m_name; }

    [[nodiscard]] int lineCount() const;
    [[nodiscard]] QByteArray line(int index) const;
    /// Number of the first held line, counted from 1; nullopt if the file was not read from its beginning.
    [[nodiscard]] std::optional<qint64> firstNumber() const;
    [[nodiscard]] bool hasEarlier() const { return m_begin > 0; }
    [[nodiscard]] qint64 size() const { return m_size; }               ///< of the whole file, in bytes
    [[nodiscard]] const QString& message() const { return m_message; } ///< why there is no text; empty if there is
    /// The first read is under way; opened() is emitted when it ends.
    [[nodiscard]] bool isOpening() const { return m_isOpening; }

    /// Reads the part before the held one; does nothing at the beginning of the file or while a read is pending.
    void readEarlier();
    /// Searches the next matching line, starting at `from` (backwards if `backwards`) and wrapping around the ends. Runs in short
    /// slices on the event loop and ends with searched(); a later search replaces this one.
    void search(const QRegularExpression& expression, int from, bool backwards = false);
    /// Searches the first line with LogSeverity::error.
    void searchError();

signals:
    void opened();        ///< all lines were replaced, or message() changed
    void linesAppended(); ///< the previously last line may be longer now
    void linesPrepended(int count);
    void searched(int line); ///< -1: not found

private:
    void read(qint64 offset, qint64 limit, std::optional<qint64> tail);
    void take(const api::Reply& reply, bool earlier);
    void indexLines();
    void schedule();
    void startSearch(std::function<bool(QByteArrayView)> fits, int from, bool backwards);
    void searchOn();

    client::EngineClient& m_client;
    core::TrialId m_trial;
    QString m_name;
    QString m_message;
    int m_generation = 0; ///< replies to an older one are dropped
    bool m_isReading = false;
    bool m_isOpening = false;
    bool m_isLive = false;
    bool m_isFollowed = true;
    bool m_isWhole = false; ///< the end was reached and no bytes will follow
    QTimer m_poll;
    QByteArray m_bytes; ///< of the file from m_begin on
    qint64 m_begin = 0;
    qint64 m_size = 0;
    std::vector<qint64> m_lines; ///< beginnings of lines in m_bytes
    struct Search
    {
        std::function<bool(QByteArrayView)> fits;
        int from = 0;
        bool backwards = false;
        int looked = 0;
    };
    std::optional<Search> m_search;
    QTimer m_slice;
};

} // namespace models
