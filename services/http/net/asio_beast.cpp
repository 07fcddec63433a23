// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of Asio and Beast that are no templates, compiled once (see CMakeLists.txt).
#include <boost/asio/impl/src.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/beast/src.hpp>
