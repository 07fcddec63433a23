// SPDX-License-Identifier: GPL-3.0-or-later
#include "ignore_file.h"

#include <cctype>
#include <string_view>
#include <utility>

using namespace Qt::StringLiterals;

namespace package {

namespace {

/// Spaces at the end do not count, but for one that a backslash protects.
QByteArrayView withoutTrailingSpaces(QByteArrayView line)
{
    qsizetype end = 0;
    for (qsizetype i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size())
            end = ++i + 1;
        else if (line[i] != ' ')
            end = i + 1;
    }
    return line.first(end);
}

bool inClass(std::string_view name, int c)
{
    if (name == "alnum")
        return std::isalnum(c);
    if (name == "alpha")
        return std::isalpha(c);
    if (name == "blank")
        return c == ' ' || c == '\t';
    if (name == "cntrl")
        return std::iscntrl(c);
    if (name == "digit")
        return std::isdigit(c);
    if (name == "graph")
        return std::isgraph(c);
    if (name == "lower")
        return std::islower(c);
    if (name == "print")
        return std::isprint(c);
    if (name == "punct")
        return std::ispunct(c);
    if (name == "space")
        return std::isspace(c);
    if (name == "upper")
        return std::isupper(c);
    return name == "xdigit" && std::isxdigit(c);
}

bool isClassName(std::string_view name)
{
    for (int c = 0; c < 128; ++c)
        if (inClass(name, c))
            return true;
    return false;
}

} // namespace

IgnorePattern::IgnorePattern(QByteArrayView line)
{
    QByteArrayView pattern = line.startsWith('#') ? QByteArrayView() : withoutTrailingSpaces(line);
    if (pattern.startsWith('!')) {
        m_negated = true;
        pattern = pattern.sliced(1);
    }
    if (pattern.endsWith('/')) {
        m_foldersOnly = true;
        pattern.chop(1);
    }
    m_baseNameOnly = !pattern.contains('/');
    if (pattern.startsWith('/'))
        pattern = pattern.sliced(1);
    m_never = pattern.isEmpty();
    if (!m_never)
        compile(pattern);
    for (const Token& token : m_tokens) {
        if (token.what != What::byte)
            continue;
        const auto byte = quint8(token.byte);
        m_namesSomething = byte != '/' && (m_namesSomething || byte >= 0x80 || std::isalnum(byte));
    }
}

void IgnorePattern::compile(QByteArrayView pattern)
{
    bool isLiteral = true;
    for (qsizetype i = 0; i < pattern.size() && !m_never; ++i) {
        const bool wasLiteral = std::exchange(
            isLiteral, isLiteral && pattern[i] != '*' && pattern[i] != '?' && pattern[i] != '[' && pattern[i] != '\\');
        switch (pattern[i]) {
        case '\\':
            if (++i == pattern.size())
                m_never = true; // nothing is escaped: git lets it match nothing
            else
                m_tokens.push_back({What::byte, pattern[i], {}});
            break;
        case '?':
            m_tokens.push_back({What::set, 0, std::bitset<256>().set().reset('/')});
            break;
        case '[':
            m_never = !compileSet(pattern, i);
            break;
        case '*': {
            const qsizetype begin = i;
            while (i + 1 < pattern.size() && pattern[i + 1] == '*')
                ++i;
            // Two stars cross slashes only where they are a whole component.
            const bool several = i > begin;
            // git compares what stands before the first wildcard or backslash on its own, so behind it a pattern begins anew.
            const bool startsComponent = wasLiteral || begin == 0 || pattern[begin - 1] == '/';
            const QByteArrayView rest = pattern.sliced(i + 1);
            const bool endsComponent = rest.isEmpty() || rest.startsWith('/') || rest.startsWith("\\/");
            if (!several || !startsComponent || !endsComponent) {
                m_tokens.push_back({What::star, 0, {}});
            } else if (rest.startsWith('/')) {
                m_tokens.push_back({What::folders, 0, {}});
                ++i;
            } else {
                m_tokens.push_back({What::all, 0, {}});
            }
            break;
        }
        default:
            m_tokens.push_back({What::byte, pattern[i], {}});
        }
    }
}

/// From `[` at `at` to its `]`, where `at` is left. False when there is none, or a class is unknown.
bool IgnorePattern::compileSet(QByteArrayView pattern, qsizetype& at)
{
    Token token{What::set, 0, {}};
    qsizetype i = at + 1;
    const bool inverted = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    if (inverted)
        ++i;
    int previous = -1; // what a range could begin with
    for (bool first = true;; first = false, ++i) {
        if (i >= pattern.size())
            return false;
        char c = pattern[i];
        if (c == ']' && !first)
            break;
        if (c == '[' && i + 1 < pattern.size() && pattern[i + 1] == ':') {
            qsizetype close = i + 2;
            while (close < pattern.size() && pattern[close] != ']')
                ++close;
            if (close == pattern.size())
                return false;
            if (pattern[close - 1] == ':' && close - i > 2) {
                const std::string_view name(pattern.data() + i + 2, size_t(close - i - 3));
                if (!isClassName(name))
                    return false;
                for (int byte = 0; byte < 128; ++byte)
                    if (inClass(name, byte))
                        token.set.set(size_t(byte));
                previous = -1;
                i = close;
                continue;
            }
        }
        if (c == '-' && previous >= 0 && i + 1 < pattern.size() && pattern[i + 1] != ']') {
            c = pattern[++i];
            if (c == '\\') {
                if (++i >= pattern.size())
                    return false;
                c = pattern[i];
            }
            for (int byte = previous; byte <= int(quint8(c)); ++byte)
                token.set.set(size_t(byte));
            previous = -1;
            continue;
        }
        if (c == '\\') {
            if (++i >= pattern.size())
                return false;
            c = pattern[i];
        }
        token.set.set(quint8(c));
        previous = quint8(c);
    }
    if (inverted)
        token.set.flip();
    token.set.reset('/');
    m_tokens.push_back(token);
    at = i;
    return true;
}

/// All places in the pattern that the path read so far can have reached, moved on byte by byte.
bool IgnorePattern::matches(QByteArrayView path, bool isFolder) const
{
    if (m_never || (m_foldersOnly && !isFolder))
        return false;
    if (m_baseNameOnly)
        path = path.sliced(path.lastIndexOf('/') + 1);

    const size_t end = m_tokens.size();
    std::vector<char> now(end + 1, 0);
    std::vector<char> next(end + 1, 0);
    // What may match nothing can be passed at once; `**/` only where a component begins.
    const auto passEmpty = [&](std::vector<char>& places, bool componentBegins) {
        for (size_t i = 0; i < end; ++i) {
            const What what = m_tokens[i].what;
            if (places[i] && (what == What::star || what == What::all || (what == What::folders && componentBegins)))
                places[i + 1] = 1;
        }
    };
    now[0] = 1;
    passEmpty(now, true);
    for (const char c : path) {
        std::fill(next.begin(), next.end(), char(0));
        for (size_t i = 0; i < end; ++i) {
            if (!now[i])
                continue;
            const Token& token = m_tokens[i];
            switch (token.what) {
            case What::byte:
                next[i + 1] |= char(token.byte == c);
                // No folder at all, also where the pattern begins anew in the middle of a name.
                if (token.byte == c && i + 1 < end && m_tokens[i + 1].what == What::folders)
                    next[i + 2] = 1;
                break;
            case What::set:
                next[i + 1] |= char(token.set.test(quint8(c)));
                break;
            case What::star:
                next[i] |= char(c != '/');
                break;
            case What::all:
            case What::folders:
                next[i] = 1;
                break;
            }
        }
        passEmpty(next, c == '/');
        now.swap(next);
    }
    return now[end];
}

IgnoreFile::IgnoreFile(QByteArrayView text)
{
    if (text.startsWith("\xef\xbb\xbf"))
        text = text.sliced(3);
    while (!text.isEmpty()) {
        const qsizetype newline = text.indexOf('\n');
        QByteArrayView line = newline < 0 ? text : text.first(newline);
        text = newline < 0 ? QByteArrayView() : text.sliced(newline + 1);
        if (line.endsWith('\r'))
            line.chop(1);
        if (!line.isEmpty() && !line.startsWith('#'))
            m_patterns.emplace_back(line);
    }
}

IgnoreFile::Verdict IgnoreFile::match(QByteArrayView path, bool isFolder) const
{
    bool isIncluded = false;
    for (auto pattern = m_patterns.rbegin(); pattern != m_patterns.rend(); ++pattern) {
        if (!pattern->matches(path, isFolder))
            continue;
        if (!pattern->isNegated())
            return isIncluded ? Verdict::included : Verdict::ignored;
        if (pattern->namesSomething())
            return Verdict::includedByName;
        isIncluded = true;
    }
    return isIncluded ? Verdict::included : Verdict::none;
}

IgnoreFile defaultIgnores()
{
    // .git is a plain file in a work tree that is not the main one.
    return IgnoreFile(".git\n.venv/\n__pycache__/\nnode_modules/\nwandb/\nmlruns/\n");
}

IgnoreFile secretPatterns()
{
    return IgnoreFile(".env\n.env.*\n!.env.example\n!.env.sample\n!.env.template\n"
                      ".ssh\n.gnupg\n.netrc\n.pypirc\n.aws\n.azure\n.kube\n**/.config/gcloud\n**/.docker/config.json\n"
                      "*.pem\n*.key\nid_rsa*\nid_dsa*\nid_ecdsa*\nid_ed25519*\n!id_*.pub\n");
}

IgnoreRules::IgnoreRules(IgnoreFile fallback, IgnoreFile secrets)
    : m_defaults(std::make_shared<const Defaults>(Defaults{std::move(fallback), std::move(secrets)}))
{
}

IgnoreRules IgnoreRules::with(const QByteArray& folder, IgnoreFile file) const
{
    IgnoreRules rules = *this;
    const qsizetype prefix = folder.isEmpty() ? 0 : folder.size() + 1;
    rules.m_innermost = std::make_shared<const Level>(Level{std::move(file), prefix, m_innermost});
    return rules;
}

IgnoreRules::Verdict IgnoreRules::verdict(QByteArrayView path, bool isFolder) const
{
    bool isIncluded = false;
    for (const Level* level = m_innermost.get(); level; level = level->outer.get()) {
        const auto verdict = level->file.match(path.sliced(level->prefix), isFolder);
        if (verdict == IgnoreFile::Verdict::includedByName)
            return Verdict::included;
        if (verdict == IgnoreFile::Verdict::ignored) {
            if (!isIncluded)
                return Verdict::ignored;
            break;
        }
        isIncluded = isIncluded || verdict == IgnoreFile::Verdict::included;
    }
    if (m_defaults->secrets.match(path, isFolder) == IgnoreFile::Verdict::ignored)
        return Verdict::secret;
    const bool isIgnored = !isIncluded && m_defaults->fallback.match(path, isFolder) == IgnoreFile::Verdict::ignored;
    return isIgnored ? Verdict::ignored : Verdict::included;
}

bool IgnoreRules::includesByName(QByteArrayView path, bool isFolder) const
{
    for (const Level* level = m_innermost.get(); level; level = level->outer.get())
        if (level->file.match(path.sliced(level->prefix), isFolder) == IgnoreFile::Verdict::includedByName)
            return true;
    return false;
}

} // namespace package
