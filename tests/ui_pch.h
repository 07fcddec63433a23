// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once for the tests of what draws.
#pragma once

#include "ui/kit/pch.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
