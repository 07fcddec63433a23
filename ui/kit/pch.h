// SPDX-License-Identifier: GPL-3.0-or-later
// The precompiled header of all libraries with widgets.
#pragma once

#include "services/core/records.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <functional>
