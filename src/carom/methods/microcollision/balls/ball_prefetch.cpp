// Asks for the memory that the coming events of a BallClock will read: with many balls each event
// is in another place. One piece tells where the next is: first the ball, then the cells it will
// look into and its partner, then the balls in those cells and the cells about the partner.
#include "carom/methods/microcollision/balls/ball_clock.h"

namespace carom::methods {

namespace {

// Buckets of the queue, with half an event in each.
constexpr std::int64_t kBalls = 24, kCells = 16, kNeighbours = 8;

}  // namespace

void BallClock::prefetch_upcoming() {
  const std::int64_t now = queue_.bucket();
  if (asked_ < now || asked_ > now + kBalls) asked_ = now;
  while (asked_ < now + kBalls) {
    ++asked_;
    const auto each_ahead = [&](std::int64_t by, auto&& ask) {
      std::int32_t ball = queue_.first_in(asked_ - kBalls + by);
      for (; ball >= 0; ball = queue_.next_in_bucket(ball)) ask(ball);
    };
    each_ahead(kBalls, [&](std::int32_t ball) { prefetch_ball(ball); });
    each_ahead(kCells, [&](std::int32_t ball) { prefetch_cells(ball); });
    each_ahead(kNeighbours, [&](std::int32_t ball) { prefetch_neighbours(ball); });
  }
}

bool BallClock::will_cross(std::int32_t ball) const {
  return outlooks_[at(ball)].s > queue_.time_of(ball);
}

void BallClock::prefetch_ball(std::int32_t ball) const {
  base::prefetch(&balls_[at(ball)]);
  base::prefetch(&outlooks_[at(ball)]);
}

void BallClock::prefetch_cells(std::int32_t ball) const {
  const Outlook& outlook = outlooks_[at(ball)];
  if (will_cross(ball)) {
    cells_.prefetch(ahead_of(outlook));
    cells_.prefetch(outlook.cell);
    cells_.prefetch(next_cell(outlook));
  } else {
    cells_.prefetch(cells_.near(outlook.cell));
    if (outlook.partner >= 0) prefetch_ball(outlook.partner);
  }
}

void BallClock::prefetch_neighbours(std::int32_t ball) {
  const Outlook& outlook = outlooks_[at(ball)];
  const bool crosses = will_cross(ball);
  const BallCells::Block view = crosses ? ahead_of(outlook) : cells_.near(outlook.cell);
  for (const std::int32_t other : cells_.find_in(view)) base::prefetch(&balls_[at(other)]);
  if (!crosses && outlook.partner >= 0) {
    cells_.prefetch(cells_.near(outlooks_[at(outlook.partner)].cell));
  }
}

}  // namespace carom::methods
