import pickle

import numpy as np
import pytest

import carom


def test_a_file_a_dictionary_and_a_builder_make_the_same_scene(bounce, tmp_path):
    bounce.save(tmp_path / "bounce.json")
    loaded = carom.load(tmp_path / "bounce.json")
    assert loaded.document == bounce.document == carom.Scene(bounce.document).document
    assert loaded.bodies == ["ground", "ball"] and loaded.index("ball") == 1
    assert loaded.duration == 2 and loaded.method == "zeno-free"


def test_every_mistake_is_named_with_its_place():
    with pytest.raises(carom.BadInput) as caught:
        carom.Scene({"carom": 1, "bodies": [
            {"name": "ball", "shape": {"type": "spere", "radius": 1}},
            {"name": "box", "mass": -1, "shape": {"type": "box", "size": [1, 1, 1]}}]})
    first, second = caught.value.diagnostics
    assert (first.place, first.hint) == ("/bodies/0/shape/type", "sphere")
    assert (second.place, second.found, second.expected) == ("/bodies/1/mass", "-1", "a number > 0")
    assert isinstance(caught.value, ValueError) and "/bodies/1/mass" in str(caught.value)


def test_a_mistake_in_a_file_has_its_line(tmp_path):
    path = tmp_path / "wrong.json"
    path.write_text('{"carom": 1,\n "bodies": [\n  {"name": "a", "shape": {"type": "sphere", "radius": -1}}]}')
    with pytest.raises(carom.BadInput) as caught:
        carom.load(path)
    assert caught.value.diagnostics[0].line == 3
    assert caught.value.diagnostics[0].file == str(path)


def test_a_missing_file_is_bad_input(tmp_path):
    with pytest.raises(carom.BadInput, match="missing.json"):
        carom.load(tmp_path / "missing.json")


def test_bad_input_travels_between_processes():
    with pytest.raises(carom.BadInput) as caught:
        carom.Scene({"carom": 1})
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value)
    assert copy.diagnostics[0].place == caught.value.diagnostics[0].place


def test_values_are_changed_by_pointer_and_by_name(bounce):
    changed = bounce.replace(method="analytic", duration=np.float64(0.5),
                             set={"/bodies/1/position": np.array([0, 0, 3.0])})
    assert changed.method == "analytic" and changed.duration == 0.5
    assert carom.Simulation(changed).position[1, 2] == 3
    assert bounce.method == "zeno-free"
    with pytest.raises(carom.BadInput, match="zeno-free"):
        bounce.replace(method="zenofree")


def test_pickles_carry_the_files_that_a_scene_names(scenes):
    scene = carom.load(scenes / "mesh-floor.json")
    copy = pickle.loads(pickle.dumps(scene))
    assert copy.document == scene.document
    run, again = (carom.run(each.replace(duration=0.1)) for each in (scene, copy))
    assert np.array_equal(run.position, again.position)


def test_mass_properties_are_those_of_the_shapes():
    builder = carom.SceneBuilder(gravity=[0, 0, 0])
    builder.material("wood", density=500)
    builder.body("box", {"type": "box", "size": [1, 2, 3], "position": [0.5, 0, 0]}, material="wood")
    scene = builder.build()
    m = 500 * 6
    assert scene.mass == pytest.approx([m])
    expected = m / 12 * np.array([4 + 9, 1 + 9, 1 + 4])
    assert np.diag(scene.inertia[0]) == pytest.approx(expected)
    assert scene.center_of_mass[0] == pytest.approx([0.5, 0, 0])


def test_methods_and_laws_are_listed_with_their_settings():
    methods = carom.methods()
    assert set(methods) >= {"zeno-free", "naive", "time-stepping", "analytic", "microcollision", "elastic"}
    laws = methods["zeno-free"]["settings"]["impact"]["choices"]
    assert {"sequential", "reflections", "frictional", "simultaneous", "poisson", "guendelman"} <= set(laws)
    assert methods["zeno-free"]["settings"]["step"]["help"]
