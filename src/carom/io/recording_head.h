// What a recording says once: the scene and its files, the names of its bodies, and the summary and
// the audit, which are there from the start and are put right when the run has ended.
#pragma once

#include <span>
#include <string>

#include "carom/io/hdf5.h"
#include "carom/model/scene.h"
#include "carom/record/sink.h"
#include "carom/record/trace.h"

namespace carom::io {

constexpr std::size_t kNameCapacity = 64;  // bytes of a name that is not known at the start

void write_text(const hdf5::Handle& file, const std::string& name, const std::string& text);
// Returns what was written.
std::string write_body_names(const hdf5::Handle& file, const Scene& scene);
void write_scene_files(const hdf5::Handle& file, std::span<const record::SceneFile> files);

void set_audit(const hdf5::Handle& group, const record::AuditResult& audit,
               const std::string& verdict);
// Wall-clock time stays out: the same run gives the same bytes.
void set_summary(const hdf5::Handle& group, const record::Summary& summary);
// What stands in the file until the run has ended.
record::Summary unfinished_summary();

}  // namespace carom::io
