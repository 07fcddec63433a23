// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "book.h"

namespace engine {

/// Long work that is answered 202: its records, which clients watch. Service thread only.
class Requests
{
public:
    explicit Requests(Book& book)
        : m_book(book)
    {
    }

    /// Makes the record, in state `running`. The newest hundred are kept, and all that still run.
    [[nodiscard]] RequestId begin(const QString& kind, const QString& subject);
    /// Adds a step, or changes the one of the same id and machine.
    void step(const RequestId& id, const CheckStep& step);
    /// `succeeded`, unless the result or a step says otherwise.
    void finish(const RequestId& id, const Result<>& result);

private:
    void change(const RequestId& id, const std::function<void(Request&)>& modify);

    Book& m_book;
    IdMaker m_ids;
};

} // namespace engine
