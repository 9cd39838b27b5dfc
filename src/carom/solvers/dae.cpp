#include "carom/solvers/dae.h"

#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>

#include "carom/base/check.h"

namespace carom::solvers {

namespace {

math::ConstVecView read(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }
math::VecView write(N_Vector v) { return {N_VGetArrayPointer(v), N_VGetLength(v)}; }

constexpr int kTryAgain = 1;
constexpr double kCorrected = 3e-3;  // of the error allowed, is what the corrector may leave

}  // namespace

struct DaeSolver::Memory {
  explicit Memory(DaeSystem what) : system(std::move(what)) {
    base::check(SUNContext_Create(nullptr, &context) == 0, "SUNDIALS starts");
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    release();
    SUNContext_Free(&context);
  }

  void release() {
    if (ida != nullptr) IDAFree(&ida);
    if (solver != nullptr) SUNLinSolFree(solver);
    if (matrix != nullptr) SUNMatDestroy(matrix);
    for (N_Vector v : {y, rate, scratch, quadrature})
      if (v != nullptr) N_VDestroy(v);
    ida = nullptr;
    solver = nullptr;
    matrix = nullptr;
    y = rate = scratch = quadrature = nullptr;
  }

  void create(math::Index size, math::Index quadratures);
  void attach_matrix();
  void begin();

  static int residual(realtype t, N_Vector y, N_Vector rate, N_Vector out, void* self);
  static int jacobian(realtype t, realtype c, N_Vector y, N_Vector rate, N_Vector residual,
                      SUNMatrix out, void* self, N_Vector, N_Vector, N_Vector);
  static int roots(realtype t, N_Vector y, N_Vector rate, realtype* out, void* self);
  static int weights(N_Vector y, N_Vector out, void* self);
  static int quadrature_rate(realtype t, N_Vector y, N_Vector rate, N_Vector out, void* self);

  DaeSystem system;
  SUNContext context = nullptr;
  void* ida = nullptr;
  SUNLinearSolver solver = nullptr;
  SUNMatrix matrix = nullptr;
  N_Vector y = nullptr, rate = nullptr, scratch = nullptr, quadrature = nullptr;
  SparsePattern pattern;
  double t = 0;
};

int DaeSolver::Memory::residual(realtype t, N_Vector y, N_Vector rate, N_Vector out, void* self) {
  auto view = write(out);
  return static_cast<Memory*>(self)->system.residual(t, read(y), read(rate), view) ? 0 : kTryAgain;
}

int DaeSolver::Memory::jacobian(realtype t, realtype c, N_Vector y, N_Vector rate, N_Vector,
                                SUNMatrix out, void* self, N_Vector, N_Vector, N_Vector) {
  const auto& memory = *static_cast<Memory*>(self);
  std::copy(memory.pattern.starts.begin(), memory.pattern.starts.end(),
            SUNSparseMatrix_IndexPointers(out));
  std::copy(memory.pattern.rows.begin(), memory.pattern.rows.end(),
            SUNSparseMatrix_IndexValues(out));
  math::VecView values(SUNSparseMatrix_Data(out),
                       static_cast<math::Index>(memory.pattern.rows.size()));
  memory.system.jacobian(t, c, read(y), read(rate), values);
  return 0;
}

int DaeSolver::Memory::roots(realtype t, N_Vector y, N_Vector, realtype* out, void* self) {
  const DaeSystem& system = static_cast<Memory*>(self)->system;
  math::VecView view(out, system.root_count);
  system.roots(t, read(y), view);
  return 0;
}

int DaeSolver::Memory::weights(N_Vector y, N_Vector out, void* self) {
  auto view = write(out);
  static_cast<Memory*>(self)->system.weights(read(y), view);
  return 0;
}

int DaeSolver::Memory::quadrature_rate(realtype t, N_Vector y, N_Vector rate, N_Vector out,
                                       void* self) {
  auto view = write(out);
  static_cast<Memory*>(self)->system.quadrature(t, read(y), read(rate), view);
  return 0;
}

void DaeSolver::Memory::create(math::Index size, math::Index quadratures) {
  release();
  y = N_VNew_Serial(size, context);
  rate = N_VClone(y);
  scratch = N_VClone(y);
  if (quadratures > 0) quadrature = N_VNew_Serial(quadratures, context);
}

void DaeSolver::Memory::attach_matrix() {
  const auto entries = static_cast<sunindextype>(pattern.rows.size());
  if (matrix == nullptr) {
    matrix = SUNSparseMatrix(N_VGetLength(y), N_VGetLength(y), entries, CSC_MAT, context);
    solver = SUNLinSol_KLU(y, matrix, context);
    IDASetLinearSolver(ida, solver, matrix);
    IDASetJacFn(ida, &Memory::jacobian);
    return;
  }
  if (SUNSparseMatrix_NNZ(matrix) < entries) SUNSparseMatrix_Reallocate(matrix, entries);
  SUNLinSol_KLUReInit(solver, matrix, SUNSparseMatrix_NNZ(matrix), SUNKLU_REINIT_PARTIAL);
}

DaeSolver::DaeSolver(DaeSystem system) : memory_(std::make_unique<Memory>(std::move(system))) {}
DaeSolver::~DaeSolver() = default;

void DaeSolver::restart(double t, math::VecIn y, math::VecIn rate, double first_step,
                        math::VecIn quadrature_errors) {
  Memory& m = *memory_;
  const math::Index quadratures = quadrature_errors.size();
  const math::Index had = m.quadrature == nullptr ? 0 : N_VGetLength(m.quadrature);
  const bool fresh = m.y == nullptr || N_VGetLength(m.y) != y.size() || had != quadratures;
  if (fresh) m.create(y.size(), quadratures);
  write(m.y) = y;
  write(m.rate) = rate;
  if (quadratures > 0) N_VConst(0, m.quadrature);
  m.t = t;
  if (fresh) {
    m.begin();
  } else {
    IDAReInit(m.ida, t, m.y, m.rate);
    if (quadratures > 0) IDAQuadReInit(m.ida, m.quadrature);
  }
  if (quadratures > 0) {
    write(m.quadrature) = quadrature_errors;
    IDASetQuadErrCon(m.ida, 1);
    IDAQuadSVtolerances(m.ida, 0, m.quadrature);
  }
  IDASetInitStep(m.ida, first_step);
}

void DaeSolver::Memory::begin() {
  ida = IDACreate(context);
  base::check(IDAInit(ida, &Memory::residual, t, y, rate) == IDA_SUCCESS, "IDAS starts");
  IDASetUserData(ida, this);
  IDAWFtolerances(ida, &Memory::weights);
  IDASetErrFile(ida, nullptr);
  IDASetNonlinConvCoef(ida, kCorrected);
  attach_matrix();
  IDARootInit(ida, system.root_count, &Memory::roots);
  IDASetNoInactiveRootWarn(ida);
  if (quadrature != nullptr) IDAQuadInit(ida, &Memory::quadrature_rate, quadrature);
}

void DaeSolver::set_pattern(const SparsePattern& pattern) {
  memory_->pattern = pattern;
  if (memory_->matrix != nullptr &&
      static_cast<std::size_t>(SUNSparseMatrix_Columns(memory_->matrix)) + 1 ==
          pattern.starts.size())
    memory_->attach_matrix();
}

DaeStatus DaeSolver::step(double stop) {
  Memory& m = *memory_;
  const double before = m.t;
  IDASetStopTime(m.ida, stop);
  const int flag = IDASolve(m.ida, stop, &m.t, m.y, m.rate, IDA_ONE_STEP);
  if (flag == IDA_SUCCESS) return m.t > before ? DaeStatus::Stepped : DaeStatus::Failed;
  if (flag == IDA_TSTOP_RETURN) return DaeStatus::Stopped;
  if (flag == IDA_ROOT_RETURN) return DaeStatus::Rooted;
  return DaeStatus::Failed;
}

double DaeSolver::time() const { return memory_->t; }
math::ConstVecView DaeSolver::y() const { return read(memory_->y); }
math::ConstVecView DaeSolver::rate() const { return read(memory_->rate); }

math::ConstVecView DaeSolver::quadratures(double t) {
  if (memory_->quadrature == nullptr) return {nullptr, 0};
  IDAGetQuadDky(memory_->ida, t, 0, memory_->quadrature);
  return read(memory_->quadrature);
}

double DaeSolver::last_step() const {
  realtype h = 0;
  IDAGetLastStep(memory_->ida, &h);
  return h;
}

double DaeSolver::next_step() const {
  realtype h = 0;
  IDAGetCurrentStep(memory_->ida, &h);
  return h;
}

int DaeSolver::order() const {
  int k = 0;
  IDAGetLastOrder(memory_->ida, &k);
  return k;
}

void DaeSolver::interpolate(double t, int derivative, math::VecView out) {
  IDAGetDky(memory_->ida, t, derivative, memory_->scratch);
  out = read(memory_->scratch);
}

DaeCounts DaeSolver::counts() const {
  long steps = 0, residuals = 0, setups = 0, errors = 0, corrector = 0;
  if (memory_->ida == nullptr) return {};
  IDAGetNumSteps(memory_->ida, &steps);
  IDAGetNumResEvals(memory_->ida, &residuals);
  IDAGetNumLinSolvSetups(memory_->ida, &setups);
  IDAGetNumErrTestFails(memory_->ida, &errors);
  IDAGetNumNonlinSolvConvFails(memory_->ida, &corrector);
  return {steps, residuals, setups, errors, corrector};
}

}  // namespace carom::solvers
