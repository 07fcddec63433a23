// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace nni {

/// A field of NNI's experiment files that is read, named to the person, and has no effect here.
struct UnsupportedField
{
    int schema;       ///< 1 or 2
    const char* path; ///< as in the file, with `[]` for an entry of a list
    const char* why;  ///< continues the sentence after the field's name
};

/// All of them; `trialdeck help experiment create` and the documentation tell the same.
[[nodiscard]] std::span<const UnsupportedField> unsupportedFields();

} // namespace nni
