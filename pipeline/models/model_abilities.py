"""What a model is known to be unable to do. Pure."""

from pipeline.errors import ImagesNotTaken, ToolsNotTaken
from pipeline.model import Facts


def refuse_unable(name: str, facts: Facts, *, tools: bool, images: bool) -> None:
    """Raises ToolsNotTaken or ImagesNotTaken where the model takes none of what is wanted."""
    if tools and facts.takes_tools is False:
        raise ToolsNotTaken(name)
    if images and facts.takes_images is False:
        raise ImagesNotTaken(name)
