// A hard-ball gas against Carnahan & Starling, and a granular one against Haff: `--problems` is the
// number of balls, roughly. A sample is among the oracles.
#include <cmath>
#include <cstdio>

#include "campaigns/campaigns.h"
#include "reference/gas_laws.h"

namespace carom::campaigns {

namespace {

constexpr double kPressureTolerance = 0.01, kCoolingTolerance = 0.02, kEnergyTolerance = 1e-10;

bool check_pressure(const support::GasSpec& gas) {
  const int melting = 30 * gas.per_side, measured = 300;
  const reference::Pressure found = reference::measure_pressure(gas, melting, measured);
  const double expected = reference::carnahan_starling(found.packing);
  const double off = found.compressibility / expected - 1;
  std::printf(
      "packing %.2f: %lld collisions of %d balls, energy changed by %.1e; inside, at packing %.4f, "
      "Z = %.4f, Carnahan-Starling %.4f, %+.2f %%\n",
      gas.packing, static_cast<long long>(found.collisions), gas.balls(), found.energy_change,
      found.packing, found.compressibility, expected, 100 * off);
  return found.ok && std::abs(off) < kPressureTolerance &&
         std::abs(found.energy_change) < kEnergyTolerance;
}

// Of a thousand balls, too few for the vortices and clusters that end Haff's law in large gases;
// hence the mean of several runs.
bool check_cooling(support::GasSpec gas) {
  constexpr int kRuns = 5;
  const double expected = (1 - gas.restitution * gas.restitution) / 3;
  double mean = 0;
  bool ok = true;
  for (int i = 0; i < kRuns; ++i, ++gas.seed) {
    const reference::Cooling found = reference::measure_cooling(gas, 60);
    const double off = found.loss_per_collision / expected - 1;
    std::printf("e = %.2f: cooled to %.3f, %+.2f %% off Haff's rate, 1/sqrt(T) bent by %+.2f %%\n",
                gas.restitution, found.final_temperature, 100 * off, 100 * found.bend);
    mean += off / kRuns;
    ok = ok && found.ok;
  }
  std::printf("mean %+.2f %%\n", 100 * mean);
  return ok && std::abs(mean) < kCoolingTolerance;
}

}  // namespace

int run_gas(const Options& options) {
  const int per_side = static_cast<int>(std::cbrt(static_cast<double>(options.problems)));
  bool right = true;
  for (const double packing : {0.1, 0.2, 0.3, 0.4}) {
    right =
        check_pressure({.per_side = per_side, .packing = packing, .seed = options.seed}) && right;
  }
  right = check_cooling({.packing = 0.1, .restitution = 0.9, .seed = options.seed}) && right;
  return right ? 0 : 1;
}

}  // namespace carom::campaigns
