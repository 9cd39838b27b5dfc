// The last checkpoints of a run inside its recording. Two slots are written in turn; a slot counts
// from the moment its sequence number is written, which is after everything else is on disk.
#pragma once

#include "carom/io/recording_layout.h"

namespace carom::io {

class CheckpointSlots {
 public:
  // `identity` is of the run (identity_checksum).
  CheckpointSlots(const hdf5::Handle& file, std::uint64_t bodies, std::int64_t identity);

  // What is to come back: the checkpoint and the rows it covers. It counts from confirm() on,
  // before which the file must be flushed.
  void write(const record::Checkpoint& checkpoint, const Covered& covered);
  void confirm();
  // Empties the slot that does not hold the last checkpoint, and keeps room for the last one alone:
  // the end of a run shall not depend on what earlier checkpoints held.
  void forget_older();

 private:
  void write_slot(std::uint64_t slot, const record::Checkpoint& checkpoint, ProgressRow row);
  void write_memory(std::uint64_t slot, const std::string& memory);

  hdf5::Handle group_, sequence_, progress_, bodies_, memory_;
  hdf5::Handle integer_type_, progress_type_, number_type_, byte_type_;
  std::uint64_t body_count_ = 0;
  std::int64_t identity_ = 0;
  std::uint64_t memory_capacity_ = 0;
  std::array<std::uint64_t, kCheckpointSlots> memory_bytes_{};  // in either slot
  std::int64_t last_ = 0;                                       // sequence number of the last one
  std::vector<double> numbers_;
};

}  // namespace carom::io
