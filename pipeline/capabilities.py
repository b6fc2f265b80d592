"""The packages that add modes and stages. Importing this module fills their tables, in the order of
these lines: the default mode comes first, because clients preselect the first model of a list, and
reviews are voted on before the security reviewer reads the one that has won."""

import pipeline.review.flow  # isort: skip
import pipeline.best.registration  # isort: skip
import pipeline.tested.registration  # isort: skip
import pipeline.security.flow  # isort: skip
import pipeline.projects.registration  # isort: skip
import pipeline.rag.registration  # isort: skip
import pipeline.codegen.registration  # isort: skip
import pipeline.judging.registration  # noqa: F401  # isort: skip
