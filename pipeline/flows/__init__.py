"""One file per family of modes. Importing this package fills the MODES table."""

from pipeline.flows import reviewed, single

__all__ = ["reviewed", "single"]
