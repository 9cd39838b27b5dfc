#include "carom/geometry/shapes/convex_hull.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace carom::geometry {

namespace {

// Thinner than this, relative to the size of the point set, is flat.
constexpr double kFlat = 1e-9;

// The point at which `measure` is largest.
template <typename Measure>
const Vec3& farthest(std::span<const Vec3> points, Measure measure) {
  return *std::max_element(points.begin(), points.end(),
                           [&](const Vec3& a, const Vec3& b) { return measure(a) < measure(b); });
}

// Why the points span no volume, or an empty text. Grows a simplex by the farthest point each time.
std::string find_problem(std::span<const Vec3> points) {
  const auto finite = [](const Vec3& p) { return p.allFinite(); };
  if (!std::all_of(points.begin(), points.end(), finite)) return "a coordinate is not finite";
  if (points.size() < 4) {
    return "a hull needs at least 4 points, there are " + std::to_string(points.size());
  }
  const Vec3& p0 = points.front();
  const auto from_point = [&](const Vec3& p) { return (p - p0).norm(); };
  const Vec3& p1 = farthest(points, from_point);
  const double size = from_point(p1);
  if (size == 0) return "all points coincide";
  const Vec3 along = (p1 - p0) / size;
  const auto from_line = [&](const Vec3& p) { return along.cross(p - p0).norm(); };
  const Vec3& p2 = farthest(points, from_line);
  if (from_line(p2) <= kFlat * size) return "all points lie on one line";
  const Vec3 normal = along.cross(p2 - p0).normalized();
  const auto from_plane = [&](const Vec3& p) { return std::abs(normal.dot(p - p0)); };
  if (from_plane(farthest(points, from_plane)) <= kFlat * size)
    return "all points lie in one plane";
  return {};
}

// Coordinates about the mean and of size one, so that qhull's tolerances fit any unit of length.
std::vector<double> make_coordinates(std::span<const Vec3> points) {
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += p / static_cast<double>(points.size());
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, (p - mean).norm());
  std::vector<double> coordinates;
  coordinates.reserve(3 * points.size());
  for (const Vec3& p : points) {
    const Vec3 scaled = (p - mean) / size;
    coordinates.insert(coordinates.end(), {scaled.x(), scaled.y(), scaled.z()});
  }
  return coordinates;
}

// One run of qhull, silent; its memory lives as long as this object.
class QhullRun {
 public:
  explicit QhullRun(std::vector<double> coordinates) : coordinates_(std::move(coordinates)) {
    qh_zero(&qh_, silence_);
    char command[] = "qhull C-1e-12 Pp";  // merge what is coplanar to 1e-12 of the size
    status_ = qh_new_qhull(&qh_, 3, static_cast<int>(coordinates_.size() / 3), coordinates_.data(),
                           False, command, silence_, silence_);
  }
  QhullRun(const QhullRun&) = delete;
  QhullRun& operator=(const QhullRun&) = delete;
  ~QhullRun() {
    int long_blocks = 0, long_bytes = 0;
    qh_freeqhull(&qh_, !qh_ALL);
    qh_memfreeshort(&qh_, &long_blocks, &long_bytes);
    if (silence_) std::fclose(silence_);
  }

  int status() const { return status_; }
  const facetT* first_facet() const { return qh_.facet_list; }
  int point_index(const vertexT& vertex) const {
    return static_cast<int>((vertex.point - coordinates_.data()) / 3);
  }

 private:
  std::vector<double> coordinates_;
  std::FILE* silence_ = std::fopen("/dev/null", "w");  // qhull insists on somewhere to write
  qhT qh_{};
  int status_ = 0;
};

// The facet's points in counter-clockwise order seen from outside: by angle about their mean.
std::vector<int> make_loop(const QhullRun& run, const facetT& facet, std::span<const Vec3> points) {
  std::vector<int> loop;
  for (const setelemT* e = facet.vertices->e; e->p; ++e) {
    loop.push_back(run.point_index(*static_cast<const vertexT*>(e->p)));
  }
  Vec3 mean = Vec3::Zero();
  for (const int i : loop) mean += points[i] / static_cast<double>(loop.size());
  const Vec3 normal(facet.normal[0], facet.normal[1], facet.normal[2]);
  const math::Tangents axes = math::make_tangents(normal.normalized());
  const auto angle = [&](int i) {
    const Vec3 r = points[i] - mean;
    return std::atan2(axes.second.dot(r), axes.first.dot(r));
  };
  std::sort(loop.begin(), loop.end(), [&](int i, int j) { return angle(i) < angle(j); });
  return loop;
}

// Keeps the points that some facet uses, in their given order.
void compact(std::span<const Vec3> points, Polyhedron& polyhedron) {
  std::vector<int> new_index(points.size(), -1);
  for (const auto& facet : polyhedron.facets) {
    for (const int i : facet) new_index[i] = 0;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (new_index[i] < 0) continue;
    new_index[i] = static_cast<int>(polyhedron.vertices.size());
    polyhedron.vertices.push_back(points[i]);
  }
  for (auto& facet : polyhedron.facets) {
    for (int& i : facet) i = new_index[i];
  }
}

}  // namespace

HullResult make_convex_hull(std::span<const Vec3> points) {
  if (std::string problem = find_problem(points); !problem.empty()) return {nullptr, problem};
  const QhullRun run(make_coordinates(points));
  if (run.status() != 0) {
    return {nullptr, "qhull failed with status " + std::to_string(run.status())};
  }
  auto polyhedron = std::make_shared<Polyhedron>();
  for (const facetT* facet = run.first_facet(); facet && facet->next; facet = facet->next) {
    polyhedron->facets.push_back(make_loop(run, *facet, points));
  }
  compact(points, *polyhedron);
  return {polyhedron, {}};
}

}  // namespace carom::geometry
