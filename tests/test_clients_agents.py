"""Agents as they are installed change files by laios, and call it as a tool of theirs."""

import asyncio

import pytest
from installed_clients import needs

from tools.clients.agent_programs import AGENTS
from tools.clients.agents import run_agent
from tools.clients.install import INSTALLED


@pytest.mark.only_when("tools/clients/")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs(name, *AGENTS[name].program)) for name in AGENTS]
)
async def test_an_agent_changes_files(name, tmp_path):
    """A new one, of which it never sees the version that does not parse; one that is there; and,
    where it speaks MCP, it has laios write code."""
    trial = await asyncio.to_thread(run_agent, name, tmp_path, INSTALLED)
    assert trial.passed and all(trial.passed.values()), trial.remarks
