"""A plugin of pytest: python-fcl's own tests ask hitscan (`cargo xtask peers fcl DIR`)."""

import sys

import hitscan.fcl

sys.modules["fcl"] = hitscan.fcl
