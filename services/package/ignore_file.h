// SPDX-License-Identifier: GPL-3.0-or-later
// Which files stay at home: `.nniignore`, with the meaning that git gives a `.gitignore`. Pure; paths are bytes, as the
// file system has them. Source of the rules: gitignore(5), and git itself, against which the tests run.
#pragma once

#include <QByteArray>
#include <bitset>
#include <memory>
#include <vector>

namespace package {

/// One pattern, matched in time proportional to its length times that of the path, whatever it holds.
class IgnorePattern
{
public:
    /// One line without its end. Comments and blank lines make a pattern that matches nothing.
    explicit IgnorePattern(QByteArrayView line);

    [[nodiscard]] bool isNegated() const { return m_negated; }
    /// Whether the last component of the pattern has a letter or a digit that must be there: `.env` and `*.pem` do, `*` and `.*`
    /// do not.
    [[nodiscard]] bool namesSomething() const { return m_namesSomething; }
    /// `path` is relative to the folder of the file that the pattern stands in.
    [[nodiscard]] bool matches(QByteArrayView path, bool isFolder) const;

private:
    enum class What { byte, set, star, all, folders };
    struct Token
    {
        What what;
        char byte = 0;
        std::bitset<256> set;
    };

    void compile(QByteArrayView pattern);
    bool compileSet(QByteArrayView pattern, qsizetype& at);

    std::vector<Token> m_tokens;
    bool m_never = false;
    bool m_negated = false;
    bool m_foldersOnly = false;
    bool m_baseNameOnly = false;
    bool m_namesSomething = false;
};

/// One ignore file. The last pattern that matches decides; a path that it includes is included by name if a pattern of the same
/// file that names something includes it, too, with none that ignores it behind.
class IgnoreFile
{
public:
    enum class Verdict { none, ignored, included, includedByName };

    IgnoreFile() = default;
    explicit IgnoreFile(QByteArrayView text);

    [[nodiscard]] Verdict match(QByteArrayView path, bool isFolder) const;

private:
    std::vector<IgnorePattern> m_patterns;
};

/// Ignored by default: .git, .venv, __pycache__, node_modules, wandb, mlruns. `!wandb` in an
/// ignore file takes it back.
[[nodiscard]] IgnoreFile defaultIgnores();

/// What holds secrets by its usual name: environment files, private keys, and the folders of ssh, gnupg and cloud programs. The
/// examples of environment files and public keys are taken back in it.
[[nodiscard]] IgnoreFile secretPatterns();

/// All ignore files that are in force in one folder, as a chain towards the root. Cheap to copy. An ignored folder is
/// not entered, so nothing below it can be taken back; that is for the caller to do.
class IgnoreRules
{
public:
    enum class Verdict { included, ignored, secret };

    /// At the root, with `fallback` below everything that files say. What `secrets` ignores is left out unless a file includes it by
    /// name.
    explicit IgnoreRules(IgnoreFile fallback = {}, IgnoreFile secrets = {});

    /// The rules of a sub-folder (path from the root, without a slash at its end; empty for the root) that has an
    /// ignore file itself.
    [[nodiscard]] IgnoreRules with(const QByteArray& folder, IgnoreFile file) const;
    /// `path` is relative to the root and lies in the folder that these rules are for. `secret`: only `secrets` leaves it out.
    [[nodiscard]] Verdict verdict(QByteArrayView path, bool isFolder) const;
    /// Whether a line of an ignore file names it, or one it matches, to be included.
    [[nodiscard]] bool includesByName(QByteArrayView path, bool isFolder) const;
    [[nodiscard]] bool isIgnored(QByteArrayView path, bool isFolder) const
    {
        return verdict(path, isFolder) != Verdict::included;
    }

private:
    struct Level
    {
        IgnoreFile file;
        qsizetype prefix = 0; ///< bytes of a path that lead to the folder, with the slash
        std::shared_ptr<const Level> outer;
    };
    struct Defaults
    {
        IgnoreFile fallback;
        IgnoreFile secrets;
    };
    std::shared_ptr<const Defaults> m_defaults;
    std::shared_ptr<const Level> m_innermost; ///< null: no file is in force
};

} // namespace package
