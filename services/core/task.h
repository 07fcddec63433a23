// SPDX-License-Identifier: GPL-3.0-or-later
// The only asynchronous return type of the service layer. A task starts at once and resumes on the thread that awaited.
//
// Rules, each learned on GCC 12 and QCoro 0.8 (HACKING.md, "Coroutines"): no braced list inside an expression with co_await;
// errors are Result and coroutines do not throw; parameters by value; start one nowhere but by Scope::spawn or co_await.
#pragma once

#include <QCoroTask>

namespace core {

template <typename T = void>
using Task = QCoro::Task<T>;

} // namespace core
