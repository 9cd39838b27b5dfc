#include "carom/resting/island_forces.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::resting {

namespace {

using contact::ContactProblem;
using contact::ContactRow;
using contact::Island;
using math::Index;
using solvers::SolveResult;
using solvers::SolveStatus;

constexpr double kSweepTolerance = 1e-14;  // part of the island's greatest speed
constexpr double kPileTolerance = 1e-3;    // the same where sweeps are all there is
constexpr int kQuickSweeps = 20;           // what ends within these is not worth a factor
constexpr int kFrictionSweeps = 60;        // of the friction that restitution allows
constexpr int kCoupleSweeps = 200;         // of couples within bounds that are known
constexpr double kSettled = 1e-11;         // part of that speed: Newton's method has done its work
// Where its rounds begin (solvers/cone_newton.h), and the sweeps after the first, twice as many
// after each.
constexpr std::array<double, 4> kProximity = {1e-4, 1e-3, 1e-6, 1e-4};
// Where less than round-off is enough, as much proximity as few steps need, and of what is enough,
// what ends the search and what is told from a contradiction.
constexpr std::array<double, 4> kRoughProximity = {3e-3, 3e-2, 1e-4, 1e-2};
constexpr int kRoughPatience = 8;
constexpr double kNearly = 20, kBadly = 200;
constexpr int kSweepsBetween = 20;
constexpr int kLastSweeps = 20;             // for the last digits, once it has done its work
constexpr double kContradiction = 1e-6;     // part of that speed; more, and contacts give way
constexpr double kSoftness = 1e-2;          // by this part of what their impulse does to them
constexpr std::size_t kLargestPolygon = 8;  // contacts
constexpr double kStops = 1 - 1e-9;         // a stop this late in the step is at its end

double greatest(const math::VecBuffer& v) {
  return v.view().size() > 0 ? v.view().cwiseAbs().maxCoeff() : 0.0;
}

double slip_speed(const ContactRow& row) { return std::hypot(row.rate.y(), row.rate.z()); }

solvers::SlipDirection slip_direction(const ContactRow& row, double resting) {
  const double speed = slip_speed(row);
  if (row.friction <= 0 || speed <= resting) return {};
  return {row.rate.y() / speed, row.rate.z() / speed};
}

// Of what turns, m/s, the part that a couple resists.
Vec3 resisted(const ContactRow& row, bool about_normal) {
  return about_normal ? Vec3(row.turning.x(), 0, 0) : row.turning;
}

// Under constant forces slip changes linearly: where along the step does it vanish?
double part_to_zero(double start, double end) {
  const double part = end < 0 ? start / (start - end) : 1;
  return part < kStops ? part : 1;
}

double stop_after(const ContactRow& row, const solvers::SlipDirection& slip, const Vec3& velocity) {
  if (!slip.slides()) return 1;
  return part_to_zero(slip_speed(row), slip.first * velocity.y() + slip.second * velocity.z());
}

// Whether slip along `slip`, if it is any, has ended.
bool goes_no_further(const ContactRow& row, const solvers::SlipDirection& slip,
                     const Vec3& velocity) {
  const double end = slip.first * velocity.y() + slip.second * velocity.z();
  return slip.slides() && end <= (1 - kStops) * slip_speed(row);
}

}  // namespace

void IslandSolver::watch(base::Watched watched) {
  sweep_.watched = watched;
  newton_.watch(watched);
}

IslandForces IslandSolver::solve(const ContactProblem& problem, const Island& island,
                                 const contact::Rates& rates, double resting,
                                 const ForceOptions& options, contact::Impulses& impulses) {
  set_up(problem, island, rates, std::max(resting, options.late), impulses);
  IslandForces forces{.result = respond(options)};
  // Contacts of one body can jam together that would not by themselves. Against the slip of the end
  // there are always forces.
  if (any_known() && !(forces.result.residual <= resting)) {
    forget_directions();
    impulse_.view().setZero();
    forces.result = respond(options);
  }
  examine(problem, island, resting, forces);
  rows_.store(std::as_const(impulse_).view(), impulses);
  return forces;
}

IslandForces IslandSolver::collide(const ContactProblem& problem, const Island& island,
                                   const contact::Rates& rates, std::span<const double> restitution,
                                   const ForceOptions& options, contact::Impulses& impulses) {
  set_up(problem, island, rates, HUGE_VAL, impulses);
  IslandForces forces{.result = respond(options)};
  if (give_back(island, restitution)) {
    const SolveResult rest = respond_again(options);
    forces.result.iterations += rest.iterations;
    forces.result.residual = rest.residual;
  }
  rows_.store(std::as_const(impulse_).view(), impulses);
  return forces;
}

IslandForces IslandSolver::resist_turning(const ContactProblem& problem, const Island& island,
                                          const contact::Rates& rates,
                                          contact::Impulses& impulses) {
  set_up(problem, island, rates, HUGE_VAL, impulses);
  if (couples_.empty()) return {};
  radii_.assign(friction_.size(), 0.0);
  share_friction(kCoupleSweeps);
  const IslandForces forces{.result = respond_again({})};
  rows_.store(std::as_const(impulse_).view(), impulses);
  return forces;
}

// To the velocities that the impulses so far have led to.
SolveResult IslandSolver::respond_again(const ForceOptions& options) {
  auto given = compression_.resize(impulse_.view().size());
  given = impulse_.view();
  w_.view() = velocity_.view();
  impulse_.view().setZero();
  const SolveResult rest = respond(options);
  impulse_.view() += given;
  return rest;
}

bool IslandSolver::any_known() const {
  return std::ranges::any_of(sliding_, &solvers::SlipDirection::slides) ||
         std::ranges::any_of(couples_, &solvers::Couple::is_turning);
}

void IslandSolver::forget_directions() {
  sliding_.assign(sliding_.size(), {});
  for (solvers::Couple& couple : couples_) couple.turns.setZero();
}

// What turns faster than `resting` does so throughout.
void IslandSolver::list_couples(const ContactProblem& problem, const Island& island,
                                double resting) {
  couples_.clear();
  for (const auto& [contact, about_normal] : rows_.couples()) {
    const ContactRow& row = problem.contacts[island.contact(contact)];
    const Vec3 turning = resisted(row, about_normal);
    solvers::Couple couple{contact, about_normal ? row.spinning : row.rolling};
    if (turning.norm() > resting) couple.turns = turning.normalized();
    couples_.push_back(couple);
  }
}

// Which contacts stop or jam.
void IslandSolver::examine(const ContactProblem& problem, const Island& island, double resting,
                           IslandForces& forces) const {
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    const ContactRow& row = problem.contacts[island.contact(k)];
    const solvers::SlipDirection& slip = sliding_[static_cast<std::size_t>(k)];
    const Vec3 velocity = velocity_.view().segment<3>(Index{3} * k);
    forces.stop_after = std::min(forces.stop_after, stop_after(row, slip, velocity));
    if (!slip.slides() && goes_no_further(row, slip_direction(row, resting), velocity))
      forces.fastest_late = std::max(forces.fastest_late, slip_speed(row));
    forces.jams |= jams(k);
  }
  for (std::size_t i = 0; i < couples_.size(); ++i) {
    const auto [contact, about_normal] = rows_.couples()[i];
    const Vec3 start = resisted(problem.contacts[island.contact(contact)], about_normal);
    const Vec3 end = velocity_.view().segment<3>(static_cast<Index>(3 * (friction_.size() + i)));
    if (couples_[i].is_turning())
      forces.stop_after =
          std::min(forces.stop_after, part_to_zero(start.norm(), couples_[i].turns.dot(end)));
    else if (start.norm() > resting && start.dot(end) <= (1 - kStops) * start.squaredNorm())
      forces.fastest_late = std::max(forces.fastest_late, start.norm());
  }
}

bool IslandSolver::jams(Index contact) const {
  const solvers::SlipDirection& slip = sliding_[static_cast<std::size_t>(contact)];
  if (!slip.slides() || impulse_.view()[3 * contact] <= 0) return false;
  const math::BlockRows& rows = rows_.rows();
  const Index n = 3 * contact;
  const double drawn_in = slip.first * rows.dot(n, n + 1) + slip.second * rows.dot(n, n + 2);
  return rows.dot(n, n) <= friction_[static_cast<std::size_t>(contact)] * drawn_in;
}

// Adds restitution's normal impulses, and the friction that they allow. False if there are none.
bool IslandSolver::give_back(const Island& island, std::span<const double> restitution) {
  auto impulse = impulse_.view();
  radii_.clear();
  bool any = false;
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    double& normal = impulse[Index{3} * k];
    const double given = restitution[island.contact(k)] * normal;
    any |= given > 0;
    normal += given;
    radii_.push_back(friction_[static_cast<std::size_t>(k)] * normal);
  }
  if (any) share_friction(kFrictionSweeps);
  return any;
}

// Within the bounds of normal impulses that are known.
void IslandSolver::share_friction(int sweeps) {
  solvers::solve_friction(rows_.rows(), std::as_const(w_).view(), radii_, impulse_.view(),
                          velocity_.view(), sweep_, {.max_sweeps = sweeps, .couples = couples_});
}

void IslandSolver::set_up(const ContactProblem& problem, const Island& island,
                          const contact::Rates& rates, double resting,
                          const contact::Impulses& guess) {
  rows_.set_up(problem, island, rates);
  auto w = w_.resize(rows_.velocity().size());
  w = rows_.velocity();
  auto impulse = impulse_.resize(w.size());
  velocity_.resize(w.size());
  friction_.clear();
  sliding_.clear();
  for (std::int32_t k = 0; k < island.contacts; ++k) {
    const ContactRow& row = problem.contacts[island.contact(k)];
    friction_.push_back(row.friction);
    sliding_.push_back(slip_direction(row, resting));
    impulse.segment<3>(Index{3} * k) = guess.contacts[island.contact(k)];
  }
  list_couples(problem, island, resting);
  impulse.tail(static_cast<Index>(3 * couples_.size())).setZero();
}

SolveResult IslandSolver::respond(const ForceOptions& options) {
  const bool small = options.sides > 0 && !friction_.empty() &&
                     friction_.size() <= kLargestPolygon && couples_.empty();
  if (small && respond_in_polygon(options.sides)) {
    sweep(0, 0);  // for the velocities
    return {SolveStatus::Converged, 1, 0};
  }
  return respond_in_cones(options);
}

bool IslandSolver::respond_in_polygon(int sides) {
  polygon_.set_up(rows_.rows(), friction_, sides);
  given_.assign(friction_.size(), 0.0);
  impulse_.view().setZero();
  return polygon_.respond(std::as_const(w_).view(), given_, impulse_.view());
}

// Sweeps end soon where few bodies rest on what does not move. Where they creep, Newton's method
// goes on from them.
SolveResult IslandSolver::respond_in_cones(const ForceOptions& options) {
  if (rows_.rows().dimension() > Index{6} * options.most_bodies) {
    return sweep(options.sweeps, kPileTolerance);
  }
  const double scale = greatest(w_);
  const double enough = scale > 0 ? options.enough / scale : 0;
  const SolveResult quick = sweep(kQuickSweeps, std::max(kSweepTolerance, enough));
  if (quick.status == SolveStatus::Converged) return quick;
  const SolveResult found = respond_to_round_off(options);
  const double contradicts = std::max(kContradiction * scale, kBadly * options.enough);
  return found.residual > contradicts ? give_way(found) : found;
}

SolveResult IslandSolver::respond_to_round_off(const ForceOptions& options) {
  const bool rough = options.enough > 0;
  const double settled = std::max(kSettled * greatest(w_), kNearly * options.enough);
  int iterations = kQuickSweeps, sweeps = kSweepsBetween;
  SolveResult round;
  for (std::size_t k = 0; k < kProximity.size(); ++k, sweeps *= 2) {
    if (k > 0) iterations += sweep(sweeps, kSweepTolerance).iterations;
    round = converge(rough ? kRoughProximity[k] : kProximity[k], options.enough);
    iterations += round.iterations;
    if (round.status == SolveStatus::Converged || round.residual <= settled) break;
  }
  const bool done = round.status == SolveStatus::Converged;
  const int most = round.residual <= settled ? kLastSweeps : options.polishing;
  SolveResult found = sweep(done ? 0 : most, kSweepTolerance);
  found.iterations += iterations;
  if (done) found.status = SolveStatus::Converged;
  return found;
}

// Driven bodies that close on one between them, or overlaps on both of its sides, ask for what no
// impulse can give; solvers that look for one end anywhere.
SolveResult IslandSolver::give_way(const SolveResult& found) {
  auto impulse = impulse_.view();
  auto before = swept_.resize(impulse.size());
  before = impulse;
  impulse.setZero();
  sweep(kQuickSweeps, kSweepTolerance, kSoftness);
  converge(kProximity.front(), 0, kSoftness);
  SolveResult soft = sweep(0, 0);  // for the velocities, and what is left without softness
  if (soft.residual < found.residual) return soft;
  impulse = before;
  sweep(0, 0);
  return found;
}

SolveResult IslandSolver::converge(double proximity, double enough, double softness) {
  return newton_.solve(rows_.rows(), std::as_const(w_).view(), friction_, impulse_.view(),
                       {.tolerance = std::max(kSweepTolerance * greatest(w_), enough),
                        .patience = enough > 0 ? kRoughPatience : solvers::NewtonOptions{}.patience,
                        .proximity = proximity,
                        .sliding = sliding_,
                        .softness = softness,
                        .couples = couples_});
}

SolveResult IslandSolver::sweep(int max_sweeps, double tolerance, double softness) {
  return solvers::solve_cone_complementarity(rows_.rows(), std::as_const(w_).view(), friction_,
                                             impulse_.view(), velocity_.view(), sweep_,
                                             {.tolerance = tolerance * greatest(w_),
                                              .max_sweeps = max_sweeps,
                                              .sliding = sliding_,
                                              .softness = softness,
                                              .couples = couples_});
}

}  // namespace carom::resting
