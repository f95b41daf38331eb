"""A plugin of pytest: Open3D's own tests ask hitscan (`cargo xtask peers open3d DIR`)."""

import hitscan

hitscan.open3d.install()
