"""A plugin of pytest: trimesh's own tests ask hitscan (`cargo xtask peers trimesh DIR`)."""

import sys
from types import ModuleType


class WithoutFcl(ModuleType):
    """A module in place of python-fcl, because the tests of collisions skip themselves without one. Whoever uses it fails."""

    def __getattr__(self, name: str) -> object:
        # The import system and pytest look for such attributes in every module.
        if name.startswith("__"):
            raise AttributeError(name)
        raise AssertionError(f"fcl.{name} was used, but hitscan must answer without FCL")


sys.modules["fcl"] = WithoutFcl("fcl")

# It is imported after `fcl` is replaced, because it imports trimesh, which imports `fcl`.
import hitscan

hitscan.trimesh.install()
