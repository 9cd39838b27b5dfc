"""Scenes from files of triangles, through trimesh: a body for each part of the file, in metres, z up.

glTF has y up, and is turned. A part that encloses a solid becomes a mesh, else the hull of its corners, which is listed.
"""

import numpy as np
import trimesh

Y_UP = (".glb", ".gltf")
UPRIGHT = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])


def read_meshes(path, folder):
    """The dictionary of a scene, whose meshes are written into the folder as OBJ, and what it lost."""
    from . import Loss
    scene = trimesh.load_scene(str(path))
    if path.suffix.lower() in Y_UP:
        scene.apply_transform(UPRIGHT)
    bodies, losses = [], []
    for node in sorted(scene.graph.nodes_geometry):
        placement, geometry = scene.graph[node]
        part = scene.geometry[geometry]
        if not isinstance(part, trimesh.Trimesh):
            losses.append(Loss(f'part "{node}"', f"a {type(part).__name__}, which is no surface"))
            continue
        part = part.copy()
        part.apply_transform(placement)
        part.merge_vertices(merge_tex=True, merge_norm=True)
        bodies.append(body_of(part, str(node), path, folder, losses))
    if not bodies:
        raise ValueError(f"{path}: found no surface, expected at least one")
    return {"carom": 1, "name": path.stem, "bodies": bodies}, losses


def body_of(part, name, path, folder, losses):
    from . import Loss
    if not part.is_volume:
        losses.append(Loss(f'part "{name}"', "its surface, which is not closed or not oriented: it is a hull"))
        return {"name": name, "shape": {"type": "hull", "points": part.convex_hull.vertices}}
    file = f"{path.stem}-{''.join(c if c.isalnum() else '-' for c in name)}.obj"
    part.visual = trimesh.visual.ColorVisuals()
    (folder / file).write_text(trimesh.exchange.obj.export_obj(part, include_normals=False, include_color=False),
                               encoding="utf-8")
    return {"name": name, "shape": {"type": "mesh", "file": file}}
