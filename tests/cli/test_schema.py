"""The schema, the shipped scenes and the page on the scene format agree with each other."""

import json
import re
import unittest
from pathlib import Path

import jsonschema

from malformed import DOCUMENT, FORCES, GOOD, JOINTS, SHAPES

SOURCE = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((SOURCE / "scenes" / "scene.schema.json").read_text())
STRINGS_AND_COMMENTS = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def without_comments(text):
    return STRINGS_AND_COMMENTS.sub(lambda match: match.group(1) or "", text)


def shipped_scenes():
    for folder in ("scenes", "papers"):
        for path in sorted((SOURCE / folder).rglob("*.json")):
            scene = json.loads(without_comments(path.read_text()))
            if isinstance(scene, dict) and "carom" in scene and "bodies" in scene:
                yield path, scene


def property_names(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield from schema.get("properties", {})
        for part in schema.values():
            yield from property_names(part)
    if isinstance(schema, list):
        for part in schema:
            yield from property_names(part)


class Schema(unittest.TestCase):
    def setUp(self):
        self.validator = jsonschema.Draft7Validator(SCHEMA)

    def test_is_a_valid_schema(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)

    def test_accepts_every_shipped_scene(self):
        scenes = list(shipped_scenes())
        self.assertTrue(scenes)
        for path, scene in scenes:
            with self.subTest(path.name):
                self.validator.validate(scene)

    def test_every_shipped_scene_names_the_schema(self):
        for path, scene in shipped_scenes():
            with self.subTest(path.name):
                self.assertTrue((path.parent / scene["$schema"]).samefile(
                    SOURCE / "scenes" / "scene.schema.json"))

    def test_accepts_the_scene_that_the_malformed_ones_change(self):
        self.validator.validate(GOOD)

    def test_refuses_misspelt_keys_wherever_they_stand(self):
        misspelt = [case for case in DOCUMENT + SHAPES + JOINTS + FORCES if "unknown key" in case.expected]
        self.assertTrue(misspelt)
        for case in misspelt:
            with self.subTest(case.name):
                self.assertFalse(self.validator.is_valid(json.loads(case.text)))

    def test_every_key_is_on_the_page_about_the_format(self):
        page = (SOURCE / "docs" / "scene-format.md").read_text()
        for name in sorted(set(property_names(SCHEMA))):
            with self.subTest(name):
                self.assertIn(f"`{name}`", page)


if __name__ == "__main__":
    unittest.main()
