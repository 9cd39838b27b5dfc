// What a law had to fall back on, counted: nothing here stops a run, and nothing goes unsaid.
#pragma once

namespace carom::impact {

struct Fallbacks {
  int predicted = 0;      // simultaneous, heuristic: contacts vanished, as predicted
  int least_sum = 0;      // simultaneous, heuristic: wrongly predicted; impulses of least sum used
  int failed = 0;         // a linear program or a complementarity problem was not solved
  int inelastic_end = 0;  // a cap was reached; what still approached was stopped inelastically
  int energy_bound = 0;   // restitution or friction was cut back where energy would have grown

  void add(const Fallbacks& other) {
    predicted += other.predicted;
    least_sum += other.least_sum;
    failed += other.failed;
    inelastic_end += other.inelastic_end;
    energy_bound += other.energy_bound;
  }
};

}  // namespace carom::impact
