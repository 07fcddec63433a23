// SPDX-License-Identifier: GPL-3.0-or-later
#include "log_scan.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

using namespace Qt::StringLiterals;

namespace trial {

namespace {

constexpr qsizetype mostBytes = 1024 * 1024;
constexpr qsizetype longestLine = 2'000; ///< in bytes; longer ones are data, not talk
constexpr size_t mostPlaces = 2'000;
constexpr size_t mostValues = 10'000;
constexpr qsizetype longestName = 60;
constexpr int resultScore = 20;

/// Reads 0.81, .5, -3 and 1e-05, each to its end.
const QString numberPattern = u"-?\\d*\\.?\\d+(?:[eE][-+]?\\d+)?"_s;

/// Where a number stands: the same for all lines that print it.
struct Place
{
    QString name;    ///< the word before it
    QString between; ///< the two, each run of spaces as one
    bool operator==(const Place&) const = default;
    bool operator<(const Place& other) const
    {
        return name != other.name ? name < other.name : between < other.between;
    }
};

struct Seen
{
    int numbers = 0;
    int lines = 0;
    int lastLine = -1;
    int withUnit = 0;          ///< times and sizes: 12s, 3.1MB
    bool hasWideSpace = false; ///< columns are aligned: one space is not always one
    bool isWhole = true;       ///< no value has a fraction
    double first = 0;
    double last = 0;
    double step = 0;    ///< from the first value to the second
    bool isEven = true; ///< all steps are like the first: it counts
    bool isConstant = true;

    void add(double value, int line)
    {
        isWhole = isWhole && value == std::floor(value);
        if (numbers == 0)
            first = value;
        else if (numbers == 1)
            step = value - last;
        isEven = isEven && (numbers < 2 || value - last == step);
        isConstant = isConstant && value == first;
        last = value;
        ++numbers;
        lines += std::exchange(lastLine, line) != line ? 1 : 0;
    }
    [[nodiscard]] bool isCounter() const { return isWhole && isEven && step > 0 && numbers > 2; }
};

void eachLine(QByteArrayView output, const std::function<void(const QString&)>& use)
{
    output = output.first(std::min(output.size(), mostBytes));
    while (!output.isEmpty()) {
        const qsizetype found = output.indexOf('\n');
        QByteArrayView line = output.first(found < 0 ? output.size() : found);
        output = output.sliced(found < 0 ? output.size() : found + 1);
        if (line.endsWith('\r'))
            line.chop(1);
        // As PatternStream reads a progress bar: its last state.
        if (const qsizetype shown = line.lastIndexOf('\r'); shown >= 0)
            line = line.sliced(shown + 1);
        if (!line.isEmpty() && line.size() <= longestLine)
            use(QString::fromUtf8(line));
    }
}

/// Calls `use(place, match, value)` for each number with a word before it; in the match 2 is what stands between, 4 what follows.
template <typename Use>
void eachNumber(const QString& line, Use use)
{
    // It begins where a word does, or behind a terminal's colour, and no part of it is read twice: the time is linear in the line.
    static const QRegularExpression named(
        uR"((?:(?<![\w./@-])|(?<=\x1b\[\dm|\x1b\[\d\dm))([A-Za-z_](?:[\w./@]|-(?![>=]))*+)(["'\])]{0,2}(?: {0,8}(?::=|[-=~]{1,3}>|[=:|~→]|is\b|was\b) {0,8}| {1,8}[-–] {1,8}| {1,8}))()"_s
        + numberPattern + uR"()([^\s,;]{0,6}))"_s);
    // Another part of it follows: 3/10, 10:41:02, 2024-05-01, 1.2.3, 128x128.
    static const QRegularExpression more(uR"(^(?:[/:.x_-]\d|[A-Za-z_]\w*\d))"_s);
    static const QRegularExpression spaces(u" +"_s);
    for (auto matches = named.globalMatch(line); matches.hasNext();) {
        const QRegularExpressionMatch match = matches.next();
        bool isNumber = false;
        const double value = match.captured(3).toDouble(&isNumber);
        if (!isNumber || !std::isfinite(value) || match.capturedLength(1) > longestName
            || more.match(match.captured(4)).hasMatch())
            continue;
        use(Place{match.captured(1), match.captured(2).replace(spaces, u" "_s)}, match, value);
    }
}

bool isUnit(const QString& behind)
{
    static const QRegularExpression unit(
        uR"(^(?:[mun]?s|secs?|min|h|it/s|s/it|[KMG]?i?B|[KMGWC])\b)"_s, QRegularExpression::CaseInsensitiveOption);
    return unit.match(behind).hasMatch();
}

std::map<Place, Seen> placesIn(QByteArrayView output)
{
    std::map<Place, Seen> places;
    int number = 0;
    eachLine(output, [&](const QString& line) {
        ++number;
        eachNumber(line, [&](Place place, const QRegularExpressionMatch& match, double value) {
            const auto found = places.find(place);
            if (found == places.end() && places.size() >= mostPlaces)
                return;
            Seen& seen = found != places.end() ? found->second : places[std::move(place)];
            seen.add(value, number);
            seen.withUnit += isUnit(match.captured(4)) ? 1 : 0;
            seen.hasWideSpace = seen.hasWideSpace || match.capturedView(2).contains(u"  "_s);
        });
    });
    return places;
}

/// How likely the number is what the person wants to see: above 0 it may be.
int scoreOf(const Place& place, const Seen& seen, const QString& metric)
{
    static const QSet<QString> results{u"acc"_s, u"accuracy"_s, u"loss"_s, u"f1"_s, u"auc"_s, u"map"_s, u"iou"_s,
        u"miou"_s, u"bleu"_s, u"rouge"_s, u"score"_s, u"reward"_s, u"return"_s, u"psnr"_s, u"ssim"_s, u"error"_s,
        u"err"_s, u"rmse"_s, u"mae"_s, u"mse"_s, u"perplexity"_s, u"ppl"_s, u"metric"_s, u"precision"_s, u"recall"_s,
        u"dice"_s, u"wer"_s, u"cer"_s, u"mrr"_s, u"ndcg"_s, u"fid"_s, u"kappa"_s, u"r2"_s, u"top1"_s, u"top5"_s};
    static const QSet<QString> held{u"val"_s, u"valid"_s, u"validation"_s, u"test"_s, u"eval"_s, u"dev"_s};
    static const QSet<QString> dull{u"epoch"_s, u"epochs"_s, u"step"_s, u"steps"_s, u"iter"_s, u"iteration"_s,
        u"batch"_s, u"eta"_s, u"time"_s, u"elapsed"_s, u"lr"_s, u"learning"_s, u"sec"_s, u"seconds"_s, u"ms"_s,
        u"seed"_s, u"gpu"_s, u"gpus"_s, u"cpu"_s, u"mem"_s, u"memory"_s, u"size"_s, u"pid"_s, u"port"_s, u"line"_s,
        u"total"_s, u"num"_s, u"count"_s, u"n"_s, u"rank"_s, u"worker"_s, u"workers"_s, u"device"_s, u"version"_s,
        u"progress"_s, u"speed"_s, u"throughput"_s, u"samples"_s, u"fps"_s, u"momentum"_s, u"decay"_s};
    static const QRegularExpression apart(u"[^a-z0-9]+"_s);
    const QString name = place.name.toLower();
    const QString wanted = metric.toLower();
    int score = std::min(seen.lines, 10) / 2;
    if (!wanted.isEmpty() && wanted != u"default"_s)
        score += name == wanted ? 100 : name.contains(wanted) ? 50 : 0;
    if (seen.isCounter() && score < 100)
        return -100;
    bool isDull = seen.withUnit * 2 > seen.numbers;
    for (const QString& word : name.split(apart, Qt::SkipEmptyParts)) {
        score += results.contains(word) ? resultScore : held.contains(word) ? 6 : 0;
        isDull = isDull || dull.contains(word);
    }
    return score - (isDull ? 30 : 0) - (seen.isConstant && seen.numbers > 1 ? 10 : 0) - (seen.isWhole ? 5 : 0);
}

/// `text` as it stands in a pattern.
QString escaped(const QString& text)
{
    static const QRegularExpression special(uR"(([\\.^$|?*+()\[\]{}]))"_s);
    QString out = text;
    return out.replace(special, uR"(\\1)"_s);
}

QString patternOf(const Place& place, const Seen& seen, const std::map<Place, Seen>& places)
{
    // `acc` must not be read where `val_acc` stands.
    const bool isEndOfAnother = std::any_of(places.begin(), places.end(), [&](const auto& other) {
        return other.first.name.size() > place.name.size() && other.first.name.endsWith(place.name);
    });
    QString between = escaped(place.between);
    if (seen.hasWideSpace)
        between.replace(u" "_s, u" +"_s);
    return (isEndOfAnother ? uR"((?<![\w./@-]))"_s : QString()) + escaped(place.name) + between + u"(?<value>"_s
        + numberPattern + u')';
}

/// What the pattern reads in the output.
PatternCandidate candidateOf(const QString& name, const QString& pattern, QByteArrayView output)
{
    PatternCandidate candidate{name, pattern, 0, {}};
    const QRegularExpression regex(pattern);
    eachLine(output, [&](const QString& line) {
        bool hasMatch = false;
        for (auto matches = regex.globalMatch(line); matches.hasNext();) {
            const double value = matches.next().captured(u"value"_s).toDouble();
            hasMatch = true;
            if (candidate.values.size() < mostValues)
                candidate.values.push_back(value);
        }
        candidate.lines += hasMatch ? 1 : 0;
    });
    return candidate;
}

QList<PatternCandidate> best(QByteArrayView output, const std::map<Place, Seen>& places,
    std::vector<std::pair<int, const Place*>> scored, int most)
{
    std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    QList<PatternCandidate> out;
    for (const auto& [score, place] : scored) {
        if (out.size() >= most)
            break;
        out.append(candidateOf(place->name, patternOf(*place, places.at(*place), places), output));
    }
    return out;
}

} // namespace

bool soundsLikeLoss(const QString& name)
{
    static const QRegularExpression loss(
        uR"((?:^|[^a-z0-9])(?:\w*loss|err|error|rmse|mae|mse|ppl|perplexity|wer|cer|fid)(?:$|[^a-z]))"_s,
        QRegularExpression::CaseInsensitiveOption);
    QString words = name;
    return loss.match(words.replace(u'_', u' ')).hasMatch();
}

QList<PatternCandidate> proposePatterns(QByteArrayView output, const QString& metric, int most)
{
    const std::map<Place, Seen> places = placesIn(output);
    std::vector<std::pair<int, const Place*>> scored;
    for (const auto& [place, seen] : places) {
        const int score = scoreOf(place, seen, metric);
        // What a program says once is a result only if it is called so.
        if (score > 0 && (seen.lines > 1 || score >= resultScore - 5))
            scored.emplace_back(score, &place);
    }
    return best(output, places, std::move(scored), most);
}

QList<PatternCandidate> proposePatternsOfLine(
    QByteArrayView output, QByteArrayView line, const QString& metric, int most)
{
    const std::map<Place, Seen> places = placesIn(output);
    std::vector<std::pair<int, const Place*>> scored;
    eachLine(line, [&](const QString& text) {
        eachNumber(text, [&](const Place& place, const QRegularExpressionMatch&, double) {
            const auto found = places.find(place);
            const bool isNew = found != places.end()
                && std::none_of(scored.begin(), scored.end(), [&](const auto& one) { return *one.second == place; });
            if (isNew)
                scored.emplace_back(scoreOf(place, found->second, metric), &found->first);
        });
    });
    return best(output, places, std::move(scored), most);
}

} // namespace trial
