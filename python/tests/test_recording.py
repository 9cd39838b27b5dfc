import html
import subprocess
import sys

import numpy as np
import pytest

import carom
from carom._program import find_program


def command(*arguments):
    return subprocess.run([find_program(), *map(str, arguments)], capture_output=True, text=True, check=True)


@pytest.mark.parametrize("name", ["break", "every-joint", "mesh-floor"])
def test_files_have_the_same_bytes_as_those_of_the_program(scenes, tmp_path, name):
    scene = scenes / f"{name}.json"
    names = ("run.h5", "run.csv", "run.html", "run.glb", "events.csv", "forces.csv", "contacts.csv")
    outs = [f"--out={tmp_path / each}" for each in names[:4]]
    rest = [f"--{each.split('.')[0]}={tmp_path / each}" for each in names[4:]]
    command("run", scene, "--duration", 0.2, "--quiet", *outs, *rest)
    expected = [(tmp_path / each).read_bytes() for each in names]
    simulation = carom.Simulation(carom.load(scene, set={"/duration": 0.2}),
                                  out=[tmp_path / each for each in names[:4]],
                                  events=tmp_path / names[4], forces=tmp_path / names[5],
                                  contacts=tmp_path / names[6])
    simulation.run()
    for each, bytes_of_program in zip(names, expected):
        assert (tmp_path / each).read_bytes() == bytes_of_program, each


def test_a_recording_in_memory_is_that_in_the_file(bounce, tmp_path):
    run = carom.run(bounce, out=tmp_path / "run.h5")
    read = carom.open_recording(tmp_path / "run.h5")
    for name in ("time", "position", "orientation", "velocity", "angular_velocity", "kinetic", "potential"):
        assert np.array_equal(getattr(run, name), getattr(read, name)), name
    for rows in ("events", "forces"):
        for field in getattr(run, rows).dtype.names:
            assert np.array_equal(getattr(run, rows)[field], getattr(read, rows)[field]), (rows, field)
    assert read.scene.document == run.scene.document
    assert read.summary["events"] == run.summary["events"] and read.summary["finished"]
    assert read.summary["audit"]["verdict"] == "passed"


def test_arrays_follow_the_closed_form(bounce):
    run = carom.run(bounce.replace(duration=0.4))
    assert run.position.shape == (len(run.time), 2, 3) and run.orientation.shape == (len(run.time), 2, 4)
    assert run.position[:, 1, 2] == pytest.approx(1.1 - 5 * run.time**2)
    assert run.kinetic == pytest.approx(100 * run.time**2)
    assert run.kinetic + run.potential == pytest.approx(np.full_like(run.time, 2 * 10 * 1.1))


def test_a_recording_written_again_has_the_same_bytes(bounce, tmp_path):
    run = carom.run(bounce, out=[tmp_path / "run.csv", tmp_path / "run.html", tmp_path / "run.glb"])
    for ending in ("csv", "html", "glb"):
        run.write(tmp_path / f"again.{ending}")
        assert (tmp_path / f"again.{ending}").read_bytes() == (tmp_path / f"run.{ending}").read_bytes()
    with pytest.raises(carom.BadInput, match="gif"):
        run.write(tmp_path / "run.gif")


def test_a_run_that_stopped_goes_on_bit_for_bit(bounce, tmp_path):
    carom.run(bounce.replace(duration=1), out=tmp_path / "half.h5")
    whole = carom.run(bounce)
    resumed = carom.resume(tmp_path / "half.h5", duration=2)
    assert np.array_equal(resumed.position, whole.position)
    assert np.array_equal(resumed.events["time"], whole.events["time"])


def test_a_notebook_shows_the_page(bounce):
    run = carom.run(bounce)
    shown = run._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and shown.count('"') == 4
    assert html.escape(run.page()) in shown
    assert "audit passed" in repr(run)
    simulation = carom.Simulation(bounce, keep=True)
    simulation.advance_to(0.5)
    assert simulation._repr_html_().startswith("<iframe")
    assert len(simulation.recording().time) == 51
    with pytest.raises(carom.BadInput, match="keep=True"):
        carom.Simulation(bounce).recording()


def test_tables_have_the_columns_of_the_csv_files(bounce, tmp_path):
    pandas = pytest.importorskip("pandas")
    run = carom.run(bounce, out=tmp_path / "run.csv", events=tmp_path / "events.csv")
    exact = {"check_exact": True, "check_dtype": False}  # a column of zeros is read as integers

    def read(name):
        return pandas.read_csv(tmp_path / name, float_precision="round_trip")

    pandas.testing.assert_frame_equal(run.to_pandas(), read("run.csv"), **exact)
    pandas.testing.assert_frame_equal(run.events_to_pandas(), read("events.csv"), **exact)


def test_datasets_have_units_and_names(bounce):
    pytest.importorskip("xarray")
    data = carom.run(bounce).to_xarray()
    assert data.position.attrs["units"] == "m"
    assert float(data.position.sel(body="ball", axis="z")[0]) == 1.1


def test_files_that_cannot_be_written_are_an_os_error(bounce, tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        carom.Simulation(bounce, out=tmp_path / "nowhere" / "run.csv")


def test_the_program_of_the_package_runs():
    done = subprocess.run([sys.executable, "-c", "from carom._program import main; main()", "--version"],
                          capture_output=True, text=True, check=True)
    assert done.stdout == f"carom {carom.__version__}\n"
