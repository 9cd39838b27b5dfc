// Prints the curves of figures 2 to 6 of Neumayr & Otter from the force law itself, as CSV: figure,
// curve, x, y. docs/images/draw_elastic.py draws it.
#include <cstdio>
#include <functional>

#include "carom/methods/elastic/force_law.h"
#include "reference/restitution.h"

namespace {

using namespace carom;
using namespace carom::methods;

constexpr int kPieces = 200;

void print_curve(const char* figure, const char* curve, double from, double to,
                 const std::function<double(double)>& of) {
  for (int i = 0; i <= kPieces; ++i) {
    const double x = from + (to - from) * i / kPieces;
    std::printf("%s,%s,%.6g,%.9g\n", figure, curve, x, of(x));
  }
}

void print_regularised_speed(const Regularisation& published) {
  const double v_min = published.least_speed;
  print_curve("2", "reg", -2 * v_min, 2 * v_min, [=](double v) { return regularise(v, v_min); });
  print_curve("3", "|e_t|", 0, 2 * v_min,
              [=](double v) { return regularised_direction(Vec3(v, 0, 0), v_min).norm(); });
}

void print_by_restitution(const Regularisation& published) {
  for (const double cor : {0.0, 0.2, 0.5, 0.8, 1.0}) {
    char curve[16];
    std::snprintf(curve, sizeof curve, "%g", cor);
    print_curve("4", curve, 0, 0.03,
                [&](double v) { return regularise_restitution(cor, v, published); });
    print_curve("5", curve, 0, 0.03,
                [&](double v) { return damping_coefficient(cor, v, published); });
    print_curve("6", curve, 0.02, 1,
                [&](double v) { return damping_coefficient(cor, v, published); });
  }
}

// Beside what the paper shows: the part of its speed that a ball gets back, by its damping and
// ours.
void print_achieved(const Regularisation& published) {
  Regularisation exact = published;
  exact.damping = Damping::Exact;
  const auto achieved = [](double cor, const Regularisation& how) {
    constexpr double kSpeed = 1;
    return reference::restitution_for(damping_coefficient(cor, kSpeed, how) * kSpeed);
  };
  print_curve("restitution", "flores", 0.01, 1,
              [&](double cor) { return achieved(cor, published); });
  print_curve("restitution", "exact", 0.01, 1, [&](double cor) { return achieved(cor, exact); });
}

}  // namespace

int main() {
  const Regularisation published{.damping = Damping::Flores};
  std::puts("figure,curve,x,y");
  print_regularised_speed(published);
  print_by_restitution(published);
  print_achieved(published);
}
