import os
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

def thread_count() -> int:
    """Returns the number of threads that a call uses without `threads=`."""

def load(
    path: str | os.PathLike[str],
    quality: Literal["fast", "balanced", "best"] = "balanced",
    *,
    threads: int | None = None,
) -> Mesh:
    """Reads a model of glTF, GLB, OBJ, STL or PLY, or a baked one, as one mesh."""

@final
class Mesh:
    """A triangle mesh with its tree."""

    def __new__(
        cls,
        vertices: ArrayLike,
        faces: ArrayLike,
        quality: Literal["fast", "balanced", "best"] = "balanced",
        *,
        origin: ArrayLike | None = None,
        threads: int | None = None,
    ) -> Mesh: ...
    def cast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> Hits:
        """Casts rays, and returns the first hit of each."""

    def is_blocked(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each ray whether it hits anything."""

    def cast_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> AllHits:
        """Casts rays, and returns every hit of each."""

    def closest_point(
        self,
        points: ArrayLike,
        *,
        ties: Literal["lowest", "facing"] = "lowest",
        tie_tolerance: float = 0.0,
        threads: int | None = None,
    ) -> Nearest:
        """Returns the nearest point of the surface for each point."""

    def signed_distance(self, points: ArrayLike, *, threads: int | None = None) -> NDArray[np.float64]:
        """Returns the distance of each point to the surface, negative inside."""

    def contains(self, points: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """Returns for each point whether it is inside."""

    def winding_number(
        self, points: ArrayLike, *, error_bound: float = 1e-6, threads: int | None = None
    ) -> NDArray[np.float64]:
        """Returns the generalised winding number of each point, off by at most `error_bound`."""

    def refit(self, vertices: ArrayLike, *, threads: int | None = None) -> Mesh:
        """Returns a mesh of the same triangles with other vertices."""

    def rebuilt(self, quality: Literal["fast", "balanced", "best"], *, threads: int | None = None) -> Mesh:
        """Returns the same mesh with a tree of this quality."""

    def to_bytes(self) -> bytes:
        """Returns the mesh with its tree as bytes."""

    @staticmethod
    def from_bytes(data: Any) -> Mesh:
        """Makes a mesh of the bytes of `to_bytes`, in any object with the buffer protocol."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bytes of `to_bytes` to a file."""

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Mesh:
        """Opens a file of `save`, mapped into memory."""

    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.int64]: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    @property
    def origin(self) -> NDArray[np.float64]: ...
    @property
    def quality(self) -> Literal["fast", "balanced", "best"]: ...
    @property
    def degenerate_count(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __len__(self) -> int: ...
    def __sizeof__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Mesh: ...
    def __deepcopy__(self, _memo: Any) -> Mesh: ...
    def __dask_tokenize__(self) -> tuple[str, int]: ...
    def __reduce_ex__(self, protocol: int) -> tuple[Any, tuple[Any]]: ...  # type: ignore[override]

@final
class Hits:
    """The first hits of rays: an array for each value, of the shape of the rays."""

    @property
    def t(self) -> NDArray[np.float32]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def u(self) -> NDArray[np.float32]: ...
    @property
    def v(self) -> NDArray[np.float32]: ...
    @property
    def side(self) -> NDArray[np.int8]: ...
    @property
    def hit(self) -> NDArray[np.bool_]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class AllHits:
    """All hits of rays: those of ray i, nearest first, are at splits[i] to splits[i + 1]."""

    @property
    def splits(self) -> NDArray[np.int64]: ...
    @property
    def ray(self) -> NDArray[np.int64]: ...
    @property
    def t(self) -> NDArray[np.float32]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def u(self) -> NDArray[np.float32]: ...
    @property
    def v(self) -> NDArray[np.float32]: ...
    @property
    def side(self) -> NDArray[np.int8]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class Nearest:
    """The nearest points of a surface: an array for each value, of the shape of the points."""

    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def distance(self) -> NDArray[np.float64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def feature(self) -> NDArray[np.int8]: ...
    @property
    def containment(self) -> NDArray[np.int8]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...
