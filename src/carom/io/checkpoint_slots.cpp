#include "carom/io/checkpoint_slots.h"

#include <algorithm>

namespace carom::io {

namespace {

// Room for the memory's bytes, taken at the start: how many there are changes during a run, and the
// layout of the file shall not depend on it. What is never written takes no disk. Memory that
// needs more gets more, as many times as it takes.
std::uint64_t memory_room(std::uint64_t bodies) { return 16384 + 512 * bodies; }

std::uint64_t slot_of(std::int64_t sequence) {
  return static_cast<std::uint64_t>(sequence) % kCheckpointSlots;
}

}  // namespace

CheckpointSlots::CheckpointSlots(const hdf5::Handle& file, std::uint64_t bodies,
                                 std::int64_t identity)
    : group_(hdf5::make_group(file, "checkpoints")),
      integer_type_(hdf5::number_type<std::int64_t>()),
      progress_type_(progress_row_type()),
      number_type_(hdf5::number_type<double>()),
      byte_type_(hdf5::number_type<std::uint8_t>()),
      body_count_(bodies),
      identity_(identity),
      memory_capacity_(memory_room(bodies)) {
  sequence_ = hdf5::make_dataset(group_, "sequence", integer_type_, {kCheckpointSlots});
  progress_ = hdf5::make_dataset(group_, "progress", progress_type_, {kCheckpointSlots});
  bodies_ =
      hdf5::make_dataset(group_, "bodies", number_type_, {kCheckpointSlots, bodies, kBodyNumbers});
  memory_ = hdf5::make_growing_dataset(group_, "memory", byte_type_,
                                       {kCheckpointSlots, memory_capacity_}, {1, memory_capacity_});
}

void CheckpointSlots::write(const record::Checkpoint& checkpoint, const Covered& covered) {
  ProgressRow row = to_row(checkpoint);
  row.covered = covered;
  last_ = checkpoint.sequence;
  write_slot(slot_of(last_), checkpoint, row);
}

void CheckpointSlots::confirm() {
  hdf5::write_rows(sequence_, integer_type_, slot_of(last_), 1, &last_);
}

void CheckpointSlots::forget_older() {
  const std::uint64_t older = slot_of(last_ + 1);
  const std::int64_t none = 0;
  hdf5::write_rows(sequence_, integer_type_, older, 1, &none);
  record::Checkpoint empty;
  empty.state.bodies.assign(body_count_,
                            {Vec3::Zero(), Quat(0, 0, 0, 0), Vec3::Zero(), Vec3::Zero()});
  write_slot(older, empty, {});
  hdf5::set_shape(memory_, {kCheckpointSlots, memory_bytes_[slot_of(last_)]});
}

void CheckpointSlots::write_slot(std::uint64_t slot, const record::Checkpoint& checkpoint,
                                 ProgressRow row) {
  numbers_.clear();
  for (const BodyState& body : checkpoint.state.bodies) {
    const auto numbers = to_numbers(body);
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  }
  row.checksum =
      checkpoint_checksum(identity_, checkpoint.sequence, row, numbers_, checkpoint.memory);
  hdf5::write_rows(progress_, progress_type_, slot, 1, &row);
  if (!numbers_.empty()) hdf5::write_rows(bodies_, number_type_, slot, 1, numbers_.data());
  write_memory(slot, checkpoint.memory);
}

void CheckpointSlots::write_memory(std::uint64_t slot, const std::string& memory) {
  if (memory.size() > memory_capacity_) {
    memory_capacity_ = memory.size();
    hdf5::set_shape(memory_, {kCheckpointSlots, memory_capacity_});
  }
  std::string padded = memory;
  padded.resize(
      std::max<std::size_t>(memory.size(), memory_bytes_[slot]));  // wipes what was longer
  if (!padded.empty()) hdf5::write_front(memory_, byte_type_, slot, padded.size(), padded.data());
  memory_bytes_[slot] = memory.size();
}

}  // namespace carom::io
