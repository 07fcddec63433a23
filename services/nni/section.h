// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the members of one mapping of an experiment file, with types and names checked.
#pragma once

#include "services/yaml/yaml.h"

#include <set>

namespace nni {

using namespace core;
using yaml::YamlDocument;

/// Something that a person should know of their file, though it is no failure.
struct FileNote
{
    QString field; ///< its path
    int line = 0;
    core::Message text; ///< a sentence that begins with the field

    bool operator==(const FileNote&) const = default;
};

/// What all sections of one file share.
struct FileReading
{
    int schema = 2;
    QHash<QString, int> lines;
    QHash<QString, int> columns;
    std::vector<FileNote> notes;
    std::vector<FileNote> problems; ///< one a field, the first that was found

    /// `problem` continues the sentence that begins with the field's path.
    void refuse(const QString& path, const Message& problem);
    void note(const QString& path, const Message& text);
    [[nodiscard]] bool isRefused(const QString& path) const;
    /// All problems in the order of the file, a line each; what is missing has no line, and comes last.
    [[nodiscard]] std::optional<Error> error() const;
};

/// Null is the same as absent. In the v2 schema case and underscores of a name do not count, as NNI has it. Readers return
/// nothing when the member is absent, and when it is wrong, which they have then refused.
class Section
{
public:
    Section(FileReading& reading, const Json& object, QString path);

    [[nodiscard]] bool isGiven(const char* name) const { return find(name) != nullptr; }
    /// As it is, or null. Marks it as read.
    const Json* take(const char* name);
    std::optional<QString> text(const char* name);
    std::optional<bool> flag(const char* name);
    std::optional<qint64> whole(const char* name, qint64 least);
    /// Seconds: a number above 0, or one with a unit of d, h, m, s.
    std::optional<qint64> seconds(const char* name);
    /// GPUs: a list of numbers, one, or `0,1`.
    std::optional<Json> indices(const char* name);
    /// A mapping of its own; empty when absent.
    Section inner(const char* name);
    std::vector<Section> list(const char* name);

    void require(const char* name);
    void refuse(const char* name, const Message& problem);
    [[nodiscard]] QString pathOf(const char* name) const;
    [[nodiscard]] FileReading& reading() const { return m_reading; }

    /// Notes members that have no effect here; refuses unknown ones.
    void finish();
    /// Members that were not read are another platform's, or another tuner's.
    void leave();

private:
    [[nodiscard]] const Json::object_t::value_type* find(const char* name) const;
    [[nodiscard]] QString shape() const; ///< of lists, entries without their number

    FileReading& m_reading;
    mutable std::set<QString> m_known; ///< names that were asked for, given or not
    Json m_object;                     ///< a copy: sections of absent members outlive the call that made them
    QString m_path;
    std::set<std::string> m_read;
};

} // namespace nni
