// Bricks that touch, as the algebra of their contacts: stacks and walls of any size.
#pragma once

#include <cmath>

#include "carom/contact/contact_problem.h"

namespace carom::bricks {

using contact::ContactProblem;

// Bodies that all move alike, in contact; one island.
class Pile {
 public:
  int add_body(const Vec3& place, const Vec3& size, const Vec3& velocity) {
    const Vec3 squares = size.cwiseProduct(size);
    const Vec3 moments = (Vec3::Constant(squares.sum()) - squares) / 12;
    contact::BodyBlock block;
    block.id = id_of<BodyId>(places_.size());
    block.inverse_mass = 1;
    block.inverse_inertia = moments.cwiseInverse().asDiagonal();
    problem_.blocks.push_back(block);
    places_.push_back(place);
    velocities_.push_back(velocity);
    return static_cast<int>(places_.size()) - 1;
  }

  // The normal points from b to a; b = -1 is the floor.
  void add_contact(int a, int b, const Vec3& point, const Vec3& normal, double restitution) {
    const math::Tangents tangents = math::make_tangents(normal);
    contact::ContactRow row;
    row.a = side(a, point);
    row.b = side(b, point);
    row.normal = normal;
    row.tangent1 = tangents.first;
    row.tangent2 = tangents.second;
    row.restitution = restitution;
    const Vec3 relative = velocity(a) - velocity(b);
    row.rate = Vec3(normal.dot(relative), row.tangent1.dot(relative), row.tangent2.dot(relative));
    row.source = static_cast<std::int32_t>(problem_.contacts.size());
    problem_.contacts.push_back(row);
  }

  // Four corners of a level rectangle.
  void add_face(int a, int b, const Vec3& middle, const Vec3& size) {
    for (const double x : {-0.5, 0.5}) {
      for (const double y : {-0.5, 0.5})
        add_contact(a, b, middle + Vec3(x * size.x(), y * size.y(), 0), Vec3::UnitZ(), 0);
    }
  }

  // The points of two bodies there stay together: a ball joint.
  void add_ball_joint(int a, int b, const Vec3& point) {
    for (const Vec3& axis : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ())}) {
      contact::EqualityRow row;
      row.block_a = a;
      row.block_b = b;
      row.linear_a = axis;
      row.angular_a = side(a, point).lever.cross(axis);
      row.linear_b = -axis;
      row.angular_b = -side(b, point).lever.cross(axis);
      problem_.equalities.push_back(row);
    }
  }

  ContactProblem finish() {
    problem_.islands = {{0, static_cast<std::int32_t>(problem_.contacts.size()), 0,
                         static_cast<std::int32_t>(problem_.equalities.size())}};
    return problem_;
  }

 private:
  contact::Side side(int body, const Vec3& point) const {
    if (body < 0) return {};
    return {body, point - places_[static_cast<std::size_t>(body)]};
  }
  Vec3 velocity(int body) const {
    return body < 0 ? Vec3::Zero() : velocities_[static_cast<std::size_t>(body)];
  }

  ContactProblem problem_;
  std::vector<Vec3> places_, velocities_;
};

inline ContactProblem make_stack(std::int64_t contacts) {
  Pile pile;
  for (int i = 0; 4 * i < contacts; ++i) {
    pile.add_body(Vec3(0, 0, i + 0.5), Vec3::Ones(), -Vec3::UnitZ());
    pile.add_face(i, i - 1, Vec3(0, 0, i), Vec3::Ones());
  }
  return pile.finish();
}

// Bricks of 2 x 1 x 1, each on the halves of two.
inline ContactProblem make_wall(int wide, int courses) {
  const Vec3 brick(2, 1, 1), half(1, 1, 0);
  Pile pile;
  for (int course = 0; course < courses; ++course) {
    for (int i = 0; i < wide; ++i) {
      const double x = 2 * i + course % 2;
      const int body = pile.add_body(Vec3(x, 0, course + 0.5), brick, -Vec3::UnitZ());
      if (course == 0) {
        pile.add_face(body, -1, Vec3(x, 0, 0), brick);
        continue;
      }
      const int below = body - wide;
      const int other = course % 2 == 1 ? i + 1 : i - 1;
      const double towards = course % 2 == 1 ? 0.5 : -0.5;
      pile.add_face(body, below, Vec3(x - towards, 0, course), half);
      if (other >= 0 && other < wide)
        pile.add_face(body, below + other - i, Vec3(x + towards, 0, course), half);
    }
  }
  return pile.finish();
}

// As many courses as there are bricks in one.
inline ContactProblem make_square_wall(std::int64_t contacts) {
  const double courses = 0.5 + std::sqrt(static_cast<double>(contacts) / 8 - 0.25);  // 8s² - 8s + 4
  const auto side = static_cast<int>(std::lround(courses));
  return make_wall(side, side);
}

}  // namespace carom::bricks
