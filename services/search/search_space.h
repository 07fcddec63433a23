// SPDX-License-Identifier: GPL-3.0-or-later
// NNI's search space as a value: what may be chosen for each hyper-parameter. Source of the rules: the search space of
// NNI 2.10 (`{"lr": {"_type": "loguniform", "_value": [1e-4, 0.1]}}`), nested choices included.
#pragma once

#include "services/core/json.h"
#include "services/core/result.h"

#include <QString>
#include <vector>

namespace search {

using namespace core;

enum class ParameterType {
    choice,
    randint,
    uniform,
    quniform,
    loguniform,
    qloguniform,
    normal,
    qnormal,
    lognormal,
    qlognormal
};

/// NNI's word for the type, as in `_type`.
[[nodiscard]] QString parameterTypeName(ParameterType type);

struct Parameter;

/// One option of a choice.
struct Option
{
    Json value;                     ///< the option itself; of a nested choice its `_name`
    std::vector<Parameter> members; ///< of a nested choice: parameters that exist only when this option is chosen
};

/// One hyper-parameter. The numbers are decoded from `values`, which keeps the spelling for toJson().
struct Parameter
{
    QString name;
    ParameterType type = ParameterType::choice;
    Json values; ///< `_value` as it was written

    std::vector<Option> options; ///< choice only, never empty
    bool nested = false;         ///< a choice whose options carry members: its value is an object with `_name`
    qint64 first = 0;            ///< randint only: lowest value
    quint64 count = 0;           ///< choice and randint: how many values there are
    double low = 0;              ///< uniform kinds: the ends as written (not their logarithm)
    double high = 0;
    double mu = 0; ///< normal kinds: mean and standard deviation (of the logarithm for the log kinds)
    double sigma = 0;
    double q = 0; ///< quantised kinds: values are multiples of it; otherwise 0

    [[nodiscard]] bool isCategorical() const { return type == ParameterType::choice || type == ParameterType::randint; }
    [[nodiscard]] bool isNormal() const;
    [[nodiscard]] bool isLogarithmic() const;
    bool operator==(const Parameter& other) const;
};

struct SearchSpace
{
    std::vector<Parameter> parameters; ///< in the order in which they were written

    bool operator==(const SearchSpace&) const = default;
};

/// Kind::invalid names the parameter and what is wrong with it. An empty object is refused: without a search there is
/// no space.
[[nodiscard]] Result<SearchSpace> parseSearchSpace(const Json& json);
[[nodiscard]] Json toJson(const SearchSpace& space);

/// A parameter of the space or of one of its nested options, all in one list: parents stand before their members.
struct FlatParameter
{
    const Parameter* spec = nullptr; ///< points into the space, which must outlive this
    int parent = -1;                 ///< index of the nested choice that it belongs to, -1 at the top
    size_t option = 0;               ///< the option of that choice which brings it into being
};

[[nodiscard]] std::vector<FlatParameter> flatten(const SearchSpace& space);

/// What was picked for one flat parameter. `index` counts options of a choice, or values of a randint from its lowest;
/// `number` is used by all other types and is the final value. Parameters of options not chosen are ignored.
struct Pick
{
    quint64 index = 0;
    double number = 0;
};

/// The parameters of one trial. `picks` has one entry for each entry of flatten(space).
[[nodiscard]] Json assemble(const SearchSpace& space, const std::vector<Pick>& picks);

} // namespace search
