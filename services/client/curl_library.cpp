// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of libcurl that this library calls, each forwarded to libcurl.so.4, which is not linked. They have libcurl's names so
// that callers compile against <curl/curl.h> with its checks of option types. Without the library they fail as libcurl's do.
#include "curl_library.h"

#include <curl/curl.h>
#include <dlfcn.h>

#include <cstdarg>

// Macros of <curl/curl.h> that wrap the variadic functions.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

using namespace Qt::StringLiterals;

namespace {

struct Library
{
    void* handle = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    QString error;

    Library()
    {
        if (!handle)
            error = u"the library libcurl cannot be loaded (%1); install it, for example the package libcurl4"_s.arg(
                QString::fromLocal8Bit(dlerror())); // NOLINT(concurrency-mt-unsafe): glibc keeps it for each thread
    }
};

const Library& library()
{
    static const Library loaded; // never unloaded: libcurl's threads may run until the process ends
    return loaded;
}

template <typename Function>
Function* find(const char* name)
{
    return library().handle ? reinterpret_cast<Function*>(dlsym(library().handle, name)) : nullptr;
}

/// The one argument of a variadic option: a long, a pointer or an offset, by the option's number (CURLOPTTYPE_OFF_T, 30000, is the
/// only kind that can be wider than a pointer).
template <typename Handle, typename Option, typename Code>
Code setOption(Code (*set)(Handle*, Option, ...), Code failed, Handle* handle, Option option, va_list arguments)
{
    if (!set)
        return failed;
    if (int(option) / 10000 * 10000 == CURLOPTTYPE_OFF_T)
        return set(handle, option, va_arg(arguments, curl_off_t));
    if (int(option) < CURLOPTTYPE_OBJECTPOINT)
        return set(handle, option, va_arg(arguments, long));
    return set(handle, option, va_arg(arguments, void*));
}

} // namespace

QString client::curlLibraryError()
{
    return library().error;
}

/// Defines `name` as a function of type `Result name arguments` that calls libcurl's, or returns `failed`.
#define FORWARD(Result, name, parameters, arguments, failed)                                                           \
    Result name parameters                                                                                             \
    {                                                                                                                  \
        static auto* const function = find<Result parameters>(#name);                                                  \
        return function ? function arguments : failed;                                                                 \
    }

extern "C" {

// The types of the parameters before `...` are libcurl's. That of an enum is its own in each compiler of this platform.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvarargs"

FORWARD(CURLcode, curl_global_init, (long flags), (flags), CURLE_FAILED_INIT)
FORWARD(CURL*, curl_easy_init, (void), (), nullptr)
FORWARD(void, curl_easy_cleanup, (CURL * handle), (handle), void())
FORWARD(CURLcode, curl_easy_pause, (CURL * handle, int bits), (handle, bits), CURLE_FAILED_INIT)
FORWARD(const char*, curl_easy_strerror, (CURLcode code), (code), "")
FORWARD(CURLM*, curl_multi_init, (void), (), nullptr)
FORWARD(CURLMcode, curl_multi_cleanup, (CURLM * multi), (multi), CURLM_BAD_HANDLE)
FORWARD(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL* handle), (multi, handle), CURLM_BAD_HANDLE)
FORWARD(CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL* handle), (multi, handle), CURLM_BAD_HANDLE)
FORWARD(CURLMsg*, curl_multi_info_read, (CURLM * multi, int* left), (multi, left), nullptr)
FORWARD(CURLMcode, curl_multi_socket_action, (CURLM * multi, curl_socket_t socket, int events, int* running),
    (multi, socket, events, running), CURLM_BAD_HANDLE)
FORWARD(curl_slist*, curl_slist_append, (curl_slist * list, const char* text), (list, text), nullptr)
FORWARD(void, curl_slist_free_all, (curl_slist * list), (list), void())

CURLcode curl_easy_setopt(CURL* handle, CURLoption option, ...)
{
    static auto* const function = find<CURLcode(CURL*, CURLoption, ...)>("curl_easy_setopt");
    va_list arguments;
    va_start(arguments, option);
    const CURLcode code = setOption(function, CURLE_FAILED_INIT, handle, option, arguments);
    va_end(arguments);
    return code;
}

CURLMcode curl_multi_setopt(CURLM* multi, CURLMoption option, ...)
{
    static auto* const function = find<CURLMcode(CURLM*, CURLMoption, ...)>("curl_multi_setopt");
    va_list arguments;
    va_start(arguments, option);
    const CURLMcode code = setOption(function, CURLM_BAD_HANDLE, multi, option, arguments);
    va_end(arguments);
    return code;
}

CURLcode curl_easy_getinfo(CURL* handle, CURLINFO info, ...)
{
    static auto* const function = find<CURLcode(CURL*, CURLINFO, ...)>("curl_easy_getinfo");
    va_list arguments;
    va_start(arguments, info);
    const CURLcode code = function ? function(handle, info, va_arg(arguments, void*)) : CURLE_FAILED_INIT;
    va_end(arguments);
    return code;
}

#pragma GCC diagnostic pop

} // extern "C"
