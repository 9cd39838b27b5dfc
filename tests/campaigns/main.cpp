// campaigns NAME [--pairs N] [--problems N] [--seed N] [--threads N]
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "campaigns/campaigns.h"

namespace {

using carom::campaigns::Options;

struct Campaign {
  std::string_view name;
  int (*run)(const Options&);
};
constexpr std::array kCampaigns{
    Campaign{"dissipative", carom::campaigns::run_dissipative},
    Campaign{"distance", carom::campaigns::run_distance},
    Campaign{"gas", carom::campaigns::run_gas},
    Campaign{"impacts", carom::campaigns::run_impacts},
    Campaign{"motion", carom::campaigns::run_motion},
};

bool read(int argc, char** argv, Options& options) {
  for (int i = 2; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const long long value = std::atoll(argv[i + 1]);
    if (name == "--pairs") {
      options.pairs = value;
    } else if (name == "--problems") {
      options.problems = value;
    } else if (name == "--seed") {
      options.seed = static_cast<std::uint64_t>(value);
    } else if (name == "--threads") {
      options.threads = static_cast<int>(value);
    } else {
      return false;
    }
  }
  return argc % 2 == 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (argc > 1 && read(argc, argv, options)) {
    for (const Campaign& campaign : kCampaigns) {
      if (campaign.name == argv[1]) return campaign.run(options);
    }
  }
  std::fprintf(stderr,
               "usage: campaigns NAME [--pairs N] [--problems N] [--seed N] [--threads N]\nnames:");
  for (const Campaign& campaign : kCampaigns) std::fprintf(stderr, " %s", campaign.name.data());
  std::fprintf(stderr, "\n");
  return 2;
}
