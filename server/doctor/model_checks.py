"""Check the backends: are they up, are the models there and undamaged, how long are their windows,
does anything leave this machine?"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from threading import Event

from config import ollama_url
from pipeline.errors import LaiosError
from pipeline.models.auto_model import OLLAMA
from pipeline.models.local import PROVIDER
from pipeline.models.local_library import LocalEntry, LocalLibrary
from pipeline.models.model_file import NO_TEMPLATE
from pipeline.models.ollama_host import OllamaHost, is_cloud
from pipeline.models.providers import PROVIDERS
from pipeline.models.starter import STARTER
from pipeline.roles import AUTO, model_names, setting_of
from server.doctor.check_context import CheckContext
from server.doctor.check_result import CheckResult, Level, split_fix
from server.downloads.first_model import best_found, commands_here
from server.runtime.units import counted


def check_backend(context: CheckContext) -> Iterator[CheckResult]:
    """Ollama: needed when a role names one of its models, wanted when `auto` found no model."""
    names = {name for role in context.names for name in model_names(role, context.settings)}
    needed = any(name.startswith(OLLAMA) for name in names)
    url = context.settings.OLLAMA_HOST
    facts = {"url": url, "version": context.version, "models": len(context.installed)}
    if context.version is not None:
        models = counted(len(context.installed), "model")
        seen = f"Ollama {context.version} answers at {url} and has {models}."
        yield CheckResult("ollama", "ok", seen, "", facts)
    elif needed or (AUTO in names and STARTER in context.names.values()):
        seen, fix = split_fix(context.error, "Start it: ollama serve")
        yield CheckResult("ollama", "problem" if needed else "warning", seen, fix, facts)


async def check_roles(context: CheckContext) -> AsyncIterator[CheckResult]:
    """Each role's model: is it there, and can it play the role? Roles of which the same is to be
    said go together."""
    for name, roles in context.distinct.items():
        said: dict[tuple[Level, str, str], list[str]] = {}
        for role in roles:
            said.setdefault(await _role(context, role), []).append(role)
        for (level, seen, fix), together in said.items():
            settings = {role: ",".join(model_names(role, context.settings)) for role in together}
            facts = {"model": name, "roles": together, "settings": settings}
            text = f"{', '.join(together)}: {seen}"
            yield CheckResult(f"model.{name}", level, text, fix, facts)


async def _role(context: CheckContext, role: str) -> tuple[Level, str, str]:
    """Level, what was seen, fix."""
    name = context.names[role]
    try:
        facts = await context.models.playing(role, name, context.settings).facts()
    except LaiosError as error:
        return "problem", *split_fix(error.message, f"laios models use {role} MODEL")
    chosen = " (auto)" if AUTO in model_names(role, context.settings) else ""
    if name == STARTER:
        seen = f"{name}{chosen}, a demonstration model that knows a list of small tasks."
        commands = commands_here(await asyncio.to_thread(best_found))
        return "warning", seen, f"Get a real one for this machine: {commands}"
    if not facts.has_chat_template:
        return "warning", *split_fix(f"{name}{chosen} {NO_TEMPLATE}", "")
    return "ok", f"{name}{chosen} is available.", ""


async def check_fallbacks(context: CheckContext) -> AsyncIterator[CheckResult]:
    """The models that a role falls back on: each one that is missing is a warning."""
    for role in context.names:
        first, *others = context.models.names_for(role, context.settings)
        for name in others:
            facts = {"model": name, "role": role, "after": first}
            try:
                await context.models.playing(role, name, context.settings).facts()
            except LaiosError as error:
                seen, fix = split_fix(error.message, f"laios models use {role} MODEL")
                yield CheckResult(f"fallback.{role}", "warning", f"{role}: {seen}", fix, facts)
            else:
                seen = f"{role}: {name} is available as a fallback."
                yield CheckResult(f"fallback.{role}", "ok", seen, "", facts)


async def check_windows(context: CheckContext) -> AsyncIterator[CheckResult]:
    """Each model's trained window against what the settings ask for."""
    wanted, answer = context.settings.MAX_CONTEXT_TOKENS, context.settings.MAX_OUTPUT_TOKENS
    for name, roles in context.distinct.items():
        try:
            model = context.models.playing(roles[0], name, context.settings)
            trained = (await model.facts()).context_length
        except LaiosError:
            continue  # check_roles has said it
        most = min(wanted, trained or wanted)
        facts = {"model": name, "trained": trained, "used": most, "setting": wanted}
        told = f"trained for {trained:,} tokens" if trained else "trained length unknown"
        seen = f"{name}: {told}; laios uses a window of up to {most:,}."
        if most >= 2 * answer or name == STARTER:
            yield CheckResult(f"context.{name}", "ok", seen, "", facts)
            continue
        # A review needs room for the draft and for its own answer.
        longer = "use a model with a longer one" if trained == most else "raise MAX_CONTEXT_TOKENS"
        fix = f"Lower MAX_OUTPUT_TOKENS to {most // 2:,}, or {longer}."
        seen += f" A draft of MAX_OUTPUT_TOKENS ({answer:,}) and its review do not fit into that."
        yield CheckResult(f"context.{name}", "warning", seen, fix, facts)


async def check_model_files(
    context: CheckContext, doing: Callable[[str], None]
) -> AsyncIterator[CheckResult]:
    """The files of each pulled model, against the checksums with which they came."""
    for entry in LocalLibrary(context.settings.MODELS_DIR).entries():
        if not any(part.sha256 for part in entry.manifest.parts):
            continue  # an imported one has none
        name = f"{PROVIDER}{entry.name}"
        if fault := await _read_through(entry, doing):
            fix = f"Fetch it again: laios models pull {entry.pull_name}"
            yield CheckResult(f"files.{name}", "problem", f"{name} is damaged: {fault}.", fix)
        else:
            seen = f"{name} is as it came: its SHA-256 matches."
            yield CheckResult(f"files.{name}", "ok", seen)


async def _read_through(entry: LocalEntry, doing: Callable[[str], None]) -> str:
    """What is wrong with a model's files."""
    stopped, there = Event(), 0

    def tell(more: int) -> None:
        nonlocal there
        there += more
        doing(f"reading {PROVIDER}{entry.name}: {100 * there // entry.size} %")
        if stopped.is_set():
            raise InterruptedError

    try:
        return await asyncio.to_thread(entry.fault, tell)
    finally:
        stopped.set()  # Ctrl-C does not wait for the rest


def check_privacy(context: CheckContext) -> Iterator[CheckResult]:
    """Which prompts leave this machine."""
    where = [_leaves(context, name) for name in context.distinct]
    leaving = [text for text in where if text]
    for text in leaving:
        fix = "If that is not what you want: laios models use ROLE MODEL"
        yield CheckResult("privacy", "warning", text, fix)
    if not leaving:
        yield CheckResult("privacy", "ok", "No prompt leaves this machine.")


def _leaves(context: CheckContext, name: str) -> str | None:
    provider, _, address = name.partition("/")[0].partition("@")
    if provider not in PROVIDERS:
        roles = ", ".join(setting_of(role) for role in context.distinct[name])
        return f"{name} is called through litellm ({roles}); its address says where it runs."
    if provider != "ollama":
        return None
    model = context.find(name)
    if is_cloud(name) or (model and model.remote):
        return f"{name} runs in Ollama's cloud: its prompts leave this machine."
    try:
        host = OllamaHost(ollama_url(address)) if address else context.host
    except ValueError:
        return None  # check_roles has said it
    return None if host.is_local else f"{name} runs on another machine: {host.shown_url}."
