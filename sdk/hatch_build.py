"""Puts into the packages what projects for new bots are made of: parts of the example bots, and the protocol."""

import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SCAFFOLD = Path("sixtysix") / "scaffold"
SOURCES = SCAFFOLD / "sources"


class SourcesHook(BuildHookInterface):  # type: ignore[type-arg]  # the same for every kind of package
    """Adds the sources of `languages.toml`. An unpacked source distribution of the SDK has them already."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files; see hatchling. Raises FileNotFoundError if one is missing."""
        sdk = Path(__file__).resolve().parent
        if version == "editable" or (sdk / SOURCES).is_dir():
            return
        languages = tomllib.loads((sdk / SCAFFOLD / "languages.toml").read_text(encoding="utf-8"))
        for source in sorted({source for language in languages.values() for source in language["copied"]}):
            path = sdk.parent / source
            if not path.exists():
                raise FileNotFoundError(f"{path}: languages.toml names it")
            build_data["force_include"][str(path)] = (SOURCES / source).as_posix()
