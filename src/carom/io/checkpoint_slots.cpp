#include "carom/io/checkpoint_slots.h"

namespace carom::io {

namespace {

// The audit's bytes take whole multiples of this, so that a few more do not move what follows.
constexpr std::uint64_t kAuditChunk = 4096;

}  // namespace

CheckpointSlots::CheckpointSlots(const hdf5::Handle& file, std::uint64_t bodies)
    : group_(hdf5::make_group(file, "checkpoints")),
      integer_type_(hdf5::number_type<std::int64_t>()),
      progress_type_(progress_row_type()),
      number_type_(hdf5::number_type<double>()),
      byte_type_(hdf5::number_type<std::uint8_t>()),
      body_count_(bodies) {
  sequence_ = hdf5::make_dataset(group_, "sequence", integer_type_, {kCheckpointSlots});
  progress_ = hdf5::make_dataset(group_, "progress", progress_type_, {kCheckpointSlots});
  bodies_ =
      hdf5::make_dataset(group_, "bodies", number_type_, {kCheckpointSlots, bodies, kBodyNumbers});
  audit_ = hdf5::make_growing_dataset(group_, "audit", byte_type_, {kCheckpointSlots, 0},
                                      {1, kAuditChunk});
}

void CheckpointSlots::write(const record::Checkpoint& checkpoint, std::int64_t outputs,
                            std::int64_t events) {
  ProgressRow row = to_row(checkpoint);
  row.outputs = outputs;
  row.events = events;
  ++written_;
  write_slot(static_cast<std::uint64_t>(written_) % kCheckpointSlots, checkpoint, row);
}

void CheckpointSlots::confirm() {
  const auto slot = static_cast<std::uint64_t>(written_) % kCheckpointSlots;
  hdf5::write_rows(sequence_, integer_type_, slot, 1, &written_);
}

void CheckpointSlots::forget_older() {
  if (written_ == 0) return;
  const auto older = static_cast<std::uint64_t>(written_ - 1) % kCheckpointSlots;
  const std::int64_t none = 0;
  hdf5::write_rows(sequence_, integer_type_, older, 1, &none);
  record::Checkpoint empty;
  empty.state.bodies.assign(body_count_,
                            {Vec3::Zero(), Quat(0, 0, 0, 0), Vec3::Zero(), Vec3::Zero()});
  write_slot(older, empty, {});
}

void CheckpointSlots::write_slot(std::uint64_t slot, const record::Checkpoint& checkpoint,
                                 const ProgressRow& row) {
  hdf5::write_rows(progress_, progress_type_, slot, 1, &row);
  numbers_.clear();
  for (const BodyState& body : checkpoint.state.bodies) {
    const auto numbers = to_numbers(body);
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  }
  if (!numbers_.empty()) hdf5::write_rows(bodies_, number_type_, slot, 1, numbers_.data());
  write_audit(slot, checkpoint.audit);
}

void CheckpointSlots::write_audit(std::uint64_t slot, const std::string& audit) {
  if (audit.size() > audit_capacity_) {
    audit_capacity_ = (audit.size() + kAuditChunk - 1) / kAuditChunk * kAuditChunk;
    hdf5::set_shape(audit_, {kCheckpointSlots, audit_capacity_});
  }
  if (audit_capacity_ == 0) return;
  std::string padded = audit;
  padded.resize(audit_capacity_);
  hdf5::write_rows(audit_, byte_type_, slot, 1, padded.data());
}

}  // namespace carom::io
