"""carom: rigid bodies in contact, by the methods of five papers, with every run audited.

    import carom

    scene = carom.load("scenes/break.json")
    run = carom.run(scene)
    print(run.summary["audit"]["verdict"], run.position[-1])

SI units, world frame, quaternions [w, x, y, z]. Step by step: Simulation. Scenes in code: Scene, SceneBuilder.
"""

from ._core import (EVENTS, BadInput, CannotGoOn, Diagnostic, Nearest, OutputError, RayHit, State,
                    SweepHit, __version__, methods)
from .builder import SceneBuilder
from .recording import Recording, open_recording
from .scene import Scene, load
from .simulation import Simulation, resume, run

__all__ = ["EVENTS", "BadInput", "CannotGoOn", "Diagnostic", "Nearest", "OutputError", "RayHit",
           "Recording", "Scene", "SceneBuilder", "Simulation", "State", "SweepHit", "__version__",
           "load", "methods", "open_recording", "resume", "run"]
