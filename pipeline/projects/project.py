"""A project: its plan and the files written so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pipeline.projects.fault import Fault
from pipeline.projects.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Project:
    """`texts` are the files that were written, by path and in the plan's order; `failed` says of
    the others why they could not be had. `remarks`: what was done to a file, and is to be known."""

    manifest: Manifest
    texts: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[Fault, ...] = ()

    @property
    def has_tests(self) -> bool:
        """Whether tests are among what was planned."""
        return any(file.file_type == "test" for file in self.manifest.files)

    def with_texts(self, texts: Mapping[str, str]) -> "Project":
        """The project with files written, or written anew."""
        known = {**self.texts, **texts}
        return replace(
            self,
            texts={path: known[path] for path in self.manifest.paths if path in known},
            failed={path: why for path, why in self.failed.items() if path not in known},
            remarks=tuple(
                each for each in self.remarks if known[each.path] == self.texts[each.path]
            ),
        )
