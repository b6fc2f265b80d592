"""A project as JSON, for programs. Pure."""

from laios.types.project_files import ProjectFile, ProjectFiles
from laios.types.run_details import FailedFile
from pipeline.projects.project import Project
from pipeline.unicode_text import without_surrogates


def write_json(project: Project, *, passed: bool) -> str:
    """The files that were written, in the plan's order, with what the plan says of the whole."""
    plan = project.manifest
    files = [
        ProjectFile(path=path, type=plan[path].file_type, content=without_surrogates(text))
        for path, text in project.texts.items()
    ]
    return ProjectFiles(
        project_id=plan.project_id,
        passed=passed,
        files=files,
        missing=[FailedFile(path=path, why=why) for path, why in project.failed.items()],
        dependencies=list(plan.dependencies),
        setup_instructions=plan.setup_instructions,
    ).model_dump_json()
