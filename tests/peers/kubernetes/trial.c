// SPDX-License-Identifier: GPL-3.0-or-later
// A trial that needs nothing of its image, not even a C library: descends to the minimum of f(x) = (x - target)^2 + x.
//   trial [WORD...]
// Parameters: rate, target, steps; numbers, in the file that TRIALDECK_PARAMETERS_FILE names. Metrics: f of each step, and at the end
// the least of them as FINAL. It prints its words, a line each, and on standard error where x came to. The same arithmetic, in the same
// order, is that of WORK in test_kubernetes.py.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char* what)
{
    perror(what);
    exit(3);
}

static const char* variable(const char* name)
{
    const char* value = getenv(name);
    if (value == NULL) {
        fprintf(stderr, "%s is not set\n", name);
        exit(3);
    }
    return value;
}

// A flat object of JSON with names that hold no quotes.
static double number(const char* object, const char* name)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\"", name);
    const char* at = strstr(object, quoted);
    at = at != NULL ? strchr(at + strlen(quoted), ':') : NULL;
    if (at == NULL) {
        fprintf(stderr, "there is no parameter %s in %s\n", name, object);
        exit(3);
    }
    return strtod(at + 1, NULL);
}

int main(int count, char** words)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < count; ++i) {
        puts(words[i]);
    }
    char object[4096];
    FILE* parameters = fopen(variable("TRIALDECK_PARAMETERS_FILE"), "r");
    if (parameters == NULL) {
        give_up("parameters");
    }
    object[fread(object, 1, sizeof object - 1, parameters)] = '\0';
    fclose(parameters);
    const double rate = number(object, "rate");
    const double target = number(object, "target");
    const long steps = (long)number(object, "steps");
    FILE* metrics = fopen(variable("TRIALDECK_METRICS_FILE"), "a");
    if (metrics == NULL) {
        give_up("metrics");
    }
    setvbuf(metrics, NULL, _IOLBF, 0);
    double x = 0;
    double least = 0;
    for (long step = 0; step < steps; ++step) {
        const double off = x - target;
        const double value = off * off + x;
        least = step == 0 || value < least ? value : least;
        fprintf(metrics, "{\"metric\": %.17g, \"step\": %ld}\n", value, step);
        printf("step %ld\n", step);
        x = x - rate * (2 * off + 1);
    }
    fprintf(metrics, "{\"metric\": %.17g, \"type\": \"FINAL\"}\n", least);
    fprintf(stderr, "x = %.17g\n", x);
    return fclose(metrics) == 0 ? 0 : 3;
}
