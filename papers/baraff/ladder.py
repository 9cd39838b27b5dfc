#!/usr/bin/env python3
"""How the heuristic's rungs were used, scene by scene, beside the exact forces.

Runs every shipped scene and those of this folder with the method analytic, forces "heuristic" and "exact", and prints
a table for docs/methods/figures/analytic.md: islands for which forces were computed without friction, the share in which
nothing vanished (19), in which what vanished was predicted (18), in which forces of least sum had to do (25), and how
much the energy rose at most above its earlier least, in joules, with either.

    papers/baraff/ladder.py [CAROM]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST = 1.0  # s simulated


def run(carom, scene, forces, folder):
    """The summary of one run, or None if the scene is refused."""
    summary = folder / "summary.json"
    summary.unlink(missing_ok=True)
    duration = json.loads("".join(line.split("//")[0] for line in scene.open())).get("duration", 1)
    subprocess.run([carom, "run", scene, "--method", "analytic", "--set", f'/method/forces="{forces}"', "--duration",
                    str(min(duration, LONGEST)), "--summary", summary, "--quiet"], check=False, capture_output=True)
    return json.loads(summary.read_text()) if summary.exists() else None


def share(part, whole):
    return f"{100 * part / whole:.2f} %"


def main():
    carom = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "carom")
    scenes = sorted((ROOT / "scenes").glob("*.json")) + sorted((ROOT / "papers/baraff").glob("*.json"))
    totals = dict.fromkeys(("nothing_vanishes", "predicted", "least_sum", "failed"), 0)
    print("| scene | islands | nothing vanishes | predicted | least sum | energy gained | with exact forces |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for scene in scenes:
            if scene.name in ("claims.json", "scene.schema.json"):
                continue
            heuristic = run(carom, scene, "heuristic", pathlib.Path(folder))
            exact = run(carom, scene, "exact", pathlib.Path(folder))
            if heuristic is None or exact is None:
                continue
            counts = {key: heuristic["forces"][key] for key in totals}
            islands = sum(counts.values())
            if islands == 0:
                continue
            for key, value in counts.items():
                totals[key] += value
            ended = "" if heuristic["finished"] else " (stopped)"
            print(f"| {scene.stem}{ended} | {islands} | {share(counts['nothing_vanishes'], islands)} "
                  f"| {share(counts['predicted'], islands)} | {share(counts['least_sum'], islands)} "
                  f"| {heuristic['audit']['energy_max_gain']:.1e} | {exact['audit']['energy_max_gain']:.1e} |", flush=True)
    islands = sum(totals.values())
    print(f"| all | {islands} | {share(totals['nothing_vanishes'], islands)} | {share(totals['predicted'], islands)} "
          f"| {share(totals['least_sum'], islands)} | | |")


if __name__ == "__main__":
    main()
