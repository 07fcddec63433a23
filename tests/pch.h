// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once for the tests of everything that does not draw, and for what they are made with.
#pragma once

#include "services/core/pch.h"
#include "services/core/records.h"

#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <random>
