// SPDX-License-Identifier: GPL-3.0-or-later
#include "distribution.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace search {

/// For p of at most one half. A closed-form guess, then Halley's method on the distribution function, which triples the
/// number of right digits each time.
static double lowerHalf(double p)
{
    const double y = 2 * p - 1;
    // ln(1 - y²) written so that it keeps its digits when p is tiny.
    const double l = std::log(4 * p * (1 - p));
    const double a = 0.147;
    const double b = 2 / (std::numbers::pi * a) + l / 2;
    double x = y == 0 ? 0 : -std::numbers::sqrt2 * std::sqrt(std::sqrt(b * b - l / a) - b);
    for (int round = 0; round < 4; ++round) {
        const double excess = 0.5 * std::erfc(-x / std::numbers::sqrt2) - p;
        const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
        const double newton = excess / density;
        const double step = newton / (1 + x * newton / 2);
        x -= step;
        if (std::abs(step) <= 1e-17 + std::abs(x) * 1e-16)
            break;
    }
    return x;
}

double inverseNormal(double p)
{
    if (!(p > 0))
        return -std::numeric_limits<double>::infinity();
    if (!(p < 1))
        return std::numeric_limits<double>::infinity();
    return p <= 0.5 ? lowerHalf(p) : -lowerHalf(1 - p);
}

double quantile(const Parameter& parameter, double p)
{
    if (parameter.isNormal())
        return parameter.mu + parameter.sigma * inverseNormal(p);
    const bool log = parameter.isLogarithmic();
    const double low = log ? std::log(parameter.low) : parameter.low;
    const double high = log ? std::log(parameter.high) : parameter.high;
    // The difference of the ends may overflow where both are huge; a weighted sum does not.
    const double width = high - low;
    return std::isfinite(width) ? low + width * p : low * (1 - p) + high * p;
}

double reported(const Parameter& parameter, double x)
{
    if (parameter.isLogarithmic())
        x = std::exp(x);
    if (parameter.q > 0)
        x = std::nearbyint(x / parameter.q) * parameter.q;
    const bool clipped = parameter.type == ParameterType::quniform || parameter.type == ParameterType::qloguniform;
    if (clipped)
        x = std::clamp(x, parameter.low, parameter.high);
    const double limit = std::numeric_limits<double>::max();
    return std::clamp(x, -limit, limit) + 0.0; // minus zero becomes zero
}

} // namespace search
