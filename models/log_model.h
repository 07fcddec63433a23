// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "services/client/engine_client.h"

#include <QObject>
#include <QRegularExpression>
#include <QTimer>

namespace models {

/// What a line of a log is about, told from its words.
enum class LogSeverity { plain, warning, error };

/// A line as it is shown: colours of terminals taken out, what a progress bar overwrote left out, control characters as pictures,
/// no marks of direction, at most `longest` characters.
[[nodiscard]] QString logLineText(QByteArrayView line, qsizetype longest = 4000);
[[nodiscard]] LogSeverity logSeverity(QByteArrayView line);

/// A window into one log of one trial, read by ranges: its end first, more towards the beginning when asked, and while it is
/// followed only the new bytes. Lines are found as bytes come and decoded when they are shown. GUI thread.
class LogModel : public QObject
{
    Q_OBJECT
public:
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
    /// Of the first line held, counted from 1; nothing while the beginning of a large file was not read.
    [[nodiscard]] std::optional<qint64> firstNumber() const;
    [[nodiscard]] bool hasEarlier() const { return m_begin > 0; }
    [[nodiscard]] qint64 size() const { return m_size; }               ///< of the whole file
    [[nodiscard]] const QString& message() const { return m_message; } ///< why there is nothing; empty when there is

    /// Reads what stands before; does nothing at the beginning, or while something is read.
    void readEarlier();
    /// Looks for the next line from `from` on (before it when `backwards`) that matches, around the ends; a slice at a time, so the
    /// window does not wait. Tells searched(); a later search ends this one.
    void search(const QRegularExpression& expression, int from, bool backwards = false);
    void searchError();

signals:
    void opened();        ///< everything is new
    void linesAppended(); ///< the last line before may have grown
    void linesPrepended(int count);
    void searched(int line); ///< -1: nowhere

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
    bool m_isLive = false;
    bool m_isFollowed = true;
    bool m_isWhole = false; ///< the end was reached and nothing will follow
    QTimer m_poll;
    QByteArray m_bytes; ///< m_begin..m_begin + size
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
