// Prints how contact velocities move during impacts, for figures 5 and 7 of Mirtich & Canny, as
// CSV: figure, curve, u_x, u_y, u_z. docs/images/draw_impacts.py draws it.
#include <cstdio>
#include <numbers>

#include "carom/impact/impulse_space/impulse_space.h"

namespace {

using namespace carom;
using namespace carom::impact;

// The end of a uniform rod, m = L = 1, tan θ = 1/2; normal first.
Mat3 rod_matrix() {
  const Vec3 along = Vec3(1, 2, 0).normalized();
  return 4 * Mat3::Identity() - 3 * along * along.transpose();
}

void print_path(const char* figure, const char* curve, const Collision& collision) {
  CollisionPath path;
  pass_through(collision, &path);
  for (const Vec3& u : path)
    std::printf("%s,%s,%.9g,%.9g,%.9g\n", figure, curve, u.y(), u.z(), u.x());
}

void print_figure_5() {
  for (const double speed : {1.0, 0.4}) {
    for (int k = 0; k < 12; ++k) {
      const double angle = k * std::numbers::pi / 6;
      char curve[32];
      std::snprintf(curve, sizeof curve, "%g at %d", speed, 30 * k);
      print_path(
          "5", curve,
          {rod_matrix(), Vec3(-1, speed * std::cos(angle), speed * std::sin(angle)), 0.55, 0.5});
    }
  }
}

void print_figure_7() {
  print_path("7", "A", {rod_matrix(), Vec3(-1, 1, 0), 0.1, 0.5});
  print_path("7", "B", {rod_matrix(), Vec3(-1, 0.3, 0), 0.55, 0.5});
  print_path("7", "C", {rod_matrix(), Vec3(-1, 0.3, 0), 0.8, 0.5});
}

}  // namespace

int main() {
  std::puts("figure,curve,u_x,u_y,u_z");
  print_figure_5();
  print_figure_7();
}
