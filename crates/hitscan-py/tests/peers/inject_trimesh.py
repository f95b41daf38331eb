"""A plugin of pytest: trimesh's own tests ask hitscan (`cargo xtask peers trimesh DIR`)."""

import hitscan

hitscan.trimesh.install()
