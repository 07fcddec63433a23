// SPDX-License-Identifier: GPL-3.0-or-later
// Several tests in one program, trialdeck_tests(TOGETHER): each file's QTEST_…MAIN enters its class in a list here, under the name of the
// file, instead of defining main(). The program's first argument says which of them runs; the others are Qt Test's.
// Included after QTest, before each test's source.
#pragma once

#include <QTest>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#else
#include <QCoreApplication>
#endif

namespace together {

/// Of static lifetime; made before main(). `file` is __FILE__ of a test.
class Test
{
public:
    Test(const char* file, int (*run)(int argc, char** argv));
};

template <typename Object>
int runWithout(int argc, char** argv)
{
    Object object;
    return QTest::qExec(&object, argc, argv);
}

template <typename Object, typename Application>
int runWith(int argc, char** argv)
{
    const Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi, true);
    return runWithout<Object>(argc, argv);
}

} // namespace together

#undef QTEST_APPLESS_MAIN
#undef QTEST_GUILESS_MAIN
#undef QTEST_MAIN
#define QTEST_APPLESS_MAIN(Object) static const together::Test test##Object(__FILE__, together::runWithout<Object>);
#define QTEST_GUILESS_MAIN(Object)                                                                                     \
    static const together::Test test##Object(__FILE__, together::runWith<Object, QCoreApplication>);
#ifdef QT_WIDGETS_LIB
#define QTEST_MAIN(Object) static const together::Test test##Object(__FILE__, together::runWith<Object, QApplication>);
#else
#define QTEST_MAIN(Object) QTEST_GUILESS_MAIN(Object)
#endif
