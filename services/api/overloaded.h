// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace api {

/// Several callables as one, for std::visit.
template <typename... Fs>
struct Overloaded : Fs...
{
    using Fs::operator()...;
};

template <typename... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>; // clang 14 does not derive it for an aggregate

} // namespace api
