// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <exception>

namespace __gnu_cxx {

/// In place of the standard library's, which prints the exception's type: that needs the demangler, 60 KB of a static program. Exceptions
/// are off here; what would throw (memory that cannot be had) ends the program.
void __verbose_terminate_handler()
{
    std::abort();
}

} // namespace __gnu_cxx
