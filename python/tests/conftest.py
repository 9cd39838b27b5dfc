import os
import pathlib

import pytest

import carom

SOURCE = pathlib.Path(os.environ.get("CAROM_SOURCE_DIR", pathlib.Path(__file__).parents[2]))


@pytest.fixture
def scenes():
    return SOURCE / "scenes"


@pytest.fixture
def bounce():
    """A ball that falls 1 m and bounces with e = 0.8."""
    builder = carom.SceneBuilder("bounce", duration=2, gravity=[0, 0, -10])
    builder.pair("*", "*", restitution=0.8)
    builder.body("ground", {"type": "plane", "normal": [0, 0, 1], "offset": 0}, motion="fixed")
    builder.body("ball", {"type": "sphere", "radius": 0.1}, position=[0, 0, 1.1], mass=2)
    return builder.build()
