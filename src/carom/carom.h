// carom for programs: build or read a scene, run it, listen to it, keep what happened. This header
// and what it includes are all that is installed.
#pragma once

#include "carom/io/outputs.h"
#include "carom/io/scene_file.h"
#include "carom/model/scene_builder.h"
#include "carom/record/trace.h"
#include "carom/simulation/queries.h"
#include "carom/simulation/simulation.h"
