"""The dashboard in a real Chromium: what the pages do, and what they never do."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
import pytest_asyncio
from dashboards import VERDICT, Site, escalated, judged, site, step
from history_fakes import write_file
from measured import result, write_results
from payloads import PAYLOADS

from dashboard import index_sync
from dashboard.templating import url
from tools.screenshots import CHROMIUM, CHROMIUM_OPTIONS, DOCUMENTS, SHOTS, Shot, take

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("chromium"),
    pytest.mark.only_when(
        "dashboard/",
        "history/",
        "server/dashboard_mount.py",
        "server/http/",
        "server/api/",
        "tools/screenshots.py",
    ),
    pytest.mark.timeout(300),  # a browser on a busy machine
]

PAGES = (
    "", "?group=session", "/numbers", "/thresholds", "/compare", "/bench", "/login", "/nothing"
)  # fmt: skip


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Any]:
    """One Chromium for all tests of this file."""
    if not Path(CHROMIUM).exists():
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(f"there is no {CHROMIUM}, and REQUIRE_BROWSER is set")
        pytest.skip(f"there is no {CHROMIUM}: install Debian's chromium")
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        made = await playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_OPTIONS)
        yield made
        await made.close()


class Tabs:
    """Opens pages, and keeps what they did that pages must not do."""

    def __init__(self, browser: Any) -> None:
        self.said: list[str] = []
        self._browser = browser
        self._contexts: list[Any] = []

    async def __call__(self, address: str, **options: Any) -> Any:
        """A page on the dashboard at this address; `options` are those of a browser context."""
        context = await self._browser.new_context(base_url=address, **options)
        context.set_default_timeout(30_000)
        self._contexts.append(context)
        context.on("console", self._hear)
        context.on("weberror", lambda error: self.said.append(str(error.error)))
        context.on("dialog", lambda dialog: self.said.append(f"dialog: {dialog.message}"))
        context.on("request", lambda request: self._see(request.url))
        return await context.new_page()

    async def close(self) -> None:
        """Before the server: a page that loses it says so."""
        while self._contexts:
            await self._contexts.pop().close()

    def forgive(self, *words: str) -> None:
        """What belongs to the test, such as the status of a page that is not there."""
        self.said = [line for line in self.said if not any(word in line for word in words)]

    def _hear(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.said.append(f"{message.type}: {message.text}")

    def _see(self, url: str) -> None:
        if urlsplit(url).hostname != "127.0.0.1" or "hit" in urlsplit(url).path:
            self.said.append(f"request: {url}")


@pytest_asyncio.fixture(loop_scope="module")
async def tab(browser: Any) -> AsyncIterator[Tabs]:
    """Pages that in the end have asked nobody but loopback, said nothing on the console and opened
    no dialog."""
    tabs = Tabs(browser)
    yield tabs
    await tabs.close()
    assert tabs.said == []


@asynccontextmanager
async def shown(
    tab: Tabs, directory: Path, *records: Any, **settings: Any
) -> AsyncIterator[tuple[Site, str]]:
    """A site that has read its history, and its address."""
    async with site(directory, *records, **settings) as served:
        while 'id="indexing"' in (await served.http.get("/dashboard")).text:
            await asyncio.sleep(0.02)  # a page loads itself again when all is read
        try:
            yield served, str(served.http.base_url)
        finally:
            await tab.close()


async def texts(page: Any, selector: str) -> list[str]:
    return await page.locator(selector).all_inner_texts()


async def wait(page: Any, condition: str) -> None:
    await page.wait_for_function(f"() => {condition}")


async def leave(page: Any, act: Any) -> None:
    """Does what leads to another page, and waits for that."""
    async with page.expect_navigation():
        await act


def titles(count: int) -> str:
    return f"document.querySelectorAll('#days .row').length === {count}"


async def test_rows_come_live_within_the_filter_and_can_be_held(tab, tmp_path):
    """A new run is the first row; held with Space it waits and is counted; let go, it is there. One
    that does not fit the filter never comes."""
    first = judged("run-1", normalized_prompt="first", mode="code_raw")
    async with shown(tab, tmp_path / "h", first) as (served, address):
        page = await tab(address)
        await page.goto("/dashboard?q=mode:raw")
        await wait(page, "document.querySelector('#hold').innerText === 'live'")
        assert await texts(page, ".count p") == ["1 run matches"]
        served.add(judged("run-2", normalized_prompt="other mode"))
        served.add(judged("run-3", normalized_prompt="third", mode="code_raw"))
        await wait(page, titles(2))
        assert await texts(page, "#days .title") == ["third", "first"]
        assert await texts(page, ".count p") == ["2 runs match"]
        await page.keyboard.press("Space")
        served.add(*(judged(f"run-{n}", mode="code_raw") for n in range(4, 7)))
        await wait(page, "document.querySelector('#hold').innerText === '3 waiting'")
        assert len(await texts(page, "#days .row")) == 2
        await page.keyboard.press("Space")
        await wait(page, titles(5))
        ids = "[...document.querySelectorAll('#days .row')].map(row => row.dataset.id)"
        assert await page.evaluate(ids) == ["run-6", "run-5", "run-4", "run-3", "run-1"]
        await page.reload()
        assert await page.evaluate(ids) == ["run-6", "run-5", "run-4", "run-3", "run-1"]


async def test_the_first_run_replaces_the_words_that_there_is_none(tab, tmp_path):
    """On a page that was opened before there was a history."""
    async with shown(tab, tmp_path / "h") as (served, address):
        page = await tab(address)
        await page.goto("/dashboard")
        assert "No runs yet" in await page.inner_text("main")
        served.directory.mkdir()
        served.add(judged("run-1"))
        await wait(page, titles(1))
        assert "No runs yet" not in await page.inner_text("main")
        assert await texts(page, ".count p") == ["1 run"]
        served.add(judged("run-2"))
        await wait(page, titles(2))
        assert await texts(page, ".count p") == ["2 runs"]


async def test_a_page_over_a_replaced_history_shows_the_new_one(tab, tmp_path, monkeypatch):
    """By itself; held, it waits until it is let go."""
    monkeypatch.setattr(index_sync, "LOOK_S", 0.1)
    async with shown(tab, tmp_path / "h", judged("run-1"), judged("run-2")) as (served, address):
        page = await tab(address)
        await page.goto("/dashboard")
        await wait(page, "document.querySelector('#hold').innerText === 'live'")
        write_file(served.directory, 1, judged("run-7", normalized_prompt="new"))
        await wait(page, titles(1))
        assert await texts(page, "#days .title") == ["new"]
        await page.wait_for_load_state()  # what the keys do comes with the scripts
        await page.keyboard.press("Space")
        await wait(page, "document.querySelector('#hold').ariaPressed === 'true'")
        write_file(served.directory, 1, judged("run-8"), judged("run-9"))
        await wait(page, "document.querySelector('#hold').innerText.includes('waiting')")
        assert len(await texts(page, "#days .row")) == 1
        await page.keyboard.press("Space")
        await wait(page, titles(2))


async def test_a_page_that_is_open_over_midnight_has_one_today(tab, tmp_path, monkeypatch):
    """The first run of the next day gives all days their new names."""

    class Yesterday(datetime):
        @classmethod
        def now(cls, tz=None):
            return super().now(tz) - timedelta(days=1)

    times = [each.now().astimezone().isoformat() for each in (Yesterday, datetime)]
    async with shown(tab, tmp_path / "h", judged("run-1", ts=times[0])) as (served, address):
        page = await tab(address)
        with monkeypatch.context() as patch:
            patch.setattr("dashboard.timeline.datetime", Yesterday)
            await page.goto("/dashboard")
        assert await texts(page, "#days h2") == ["Today"]
        served.add(judged("run-2", ts=times[1]))
        await wait(page, titles(2))
        assert await texts(page, "#days h2") == ["Today", "Yesterday"]


async def test_the_keyboard_leads_everywhere(tab, tmp_path):
    """`/ j k Enter Esc [ ] d c ?` do what the help says, and are letters while one writes."""
    records = [escalated(f"run-{n}", normalized_prompt=f"number {n}") for n in range(1, 5)]
    async with shown(tab, tmp_path / "h", *records) as (_, address):
        page = await tab(address, permissions=["clipboard-read", "clipboard-write"])
        await page.goto("/dashboard")
        await page.keyboard.press("/")
        await page.keyboard.type("number jk")
        assert await page.input_value("#q") == "number jk"
        await page.keyboard.press("Escape")
        for key, prompt in (("j", 4), ("j", 3), ("j", 2), ("k", 3)):
            await page.keyboard.press(key)
            assert f"number {prompt}" in await page.evaluate("document.activeElement.innerText")
        async with page.expect_navigation():
            await page.keyboard.press("Enter")
        for key, prompt in (("", 3), ("[", 4), ("]", 3), ("]", 2)):
            if key:
                async with page.expect_navigation():
                    await page.keyboard.press(key)
            assert await page.inner_text("h1") == f"number {prompt}"
        await page.keyboard.press("c")
        await page.locator("#said.shown").wait_for()
        copied = await page.evaluate("navigator.clipboard.readText()")
        assert copied == records[1]["final_output"]
        async with page.expect_navigation():
            await page.keyboard.press("d")
        assert await texts(page, ".side mark") == ["-", "+"]
        await page.keyboard.press("?")
        assert await page.locator("dialog[open] kbd").count() == 12
        await page.keyboard.press("Escape")
        assert await page.locator("dialog[open]").count() == 0
        async with page.expect_navigation():
            await page.keyboard.press("Escape")
        assert urlsplit(page.url).path == "/dashboard"


async def test_themes_switch_at_once_and_stay(tab, tmp_path):
    """Light and dark differ, system follows the system, and the next page is as the last one."""
    shade = "getComputedStyle(document.body).backgroundColor"
    async with shown(tab, tmp_path / "h", judged("run-1")) as (_, address):
        page = await tab(address, color_scheme="dark")
        await page.goto("/dashboard")
        by_system = await page.evaluate(shade)
        async with page.expect_response("**/dashboard/theme"):
            await page.click("button[value=light]")
        light = await page.evaluate(shade)
        await page.goto("/dashboard/numbers")
        assert await page.evaluate(shade) == light != by_system
        assert await page.locator("button[value=light]").get_attribute("aria-pressed") == "true"
        async with page.expect_response("**/dashboard/theme"):
            await page.click("button[value=system]")
        assert await page.evaluate(shade) == by_system
        await page.emulate_media(color_scheme="light")
        assert await page.evaluate(shade) == light


async def test_a_slider_counts_while_it_moves(tab, tmp_path):
    """Without a new page; the address is that of what is shown."""
    records = [escalated(f"run-{n}") for n in range(3)]
    async with shown(tab, tmp_path / "h", *records) as (_, address):
        page = await tab(address)
        await page.goto("/dashboard/thresholds?conflict=7")
        await page.focus("input[name=confidence]")
        await page.keyboard.press("ArrowLeft")
        await page.keyboard.press("ArrowLeft")
        await page.get_by_text("3 runs").wait_for()
        assert await page.inner_text("label:has([name=confidence]) output") == "6"
        assert "confidence=6" in page.url
        await page.reload()
        assert "3 runs would not have escalated" in await page.inner_text(".say")


@pytest.mark.only_when("dashboard/")
async def test_without_scripts_everything_can_be_read(tab, tmp_path):
    """Filter, facets, pages, tabs, both diffs, themes and thresholds."""
    records = [escalated(f"run-{n:03}") for n in range(60)]
    async with shown(tab, tmp_path / "h", *records) as (_, address):
        page = await tab(address, java_script_enabled=False)
        await page.goto("/dashboard")
        await page.fill("#q", "escalated:yes")
        await leave(page, page.press("#q", "Enter"))
        assert "60" in await page.inner_text(".count")
        await leave(page, page.click("text=Older →"))
        assert await page.locator("#days .row").count() == 10
        await leave(page, page.locator("#days .row > a").first.click())
        await leave(page, page.click("text=Draft → review"))
        await leave(page, page.click("text=Inline"))
        assert await page.locator(".inline .sign").all_inner_texts() == ["", "−", "+"]
        await leave(page, page.click("button[value=dark]"))
        assert await page.locator("html[data-theme=dark] .inline").count() == 1
        await page.goto("/dashboard/thresholds")
        await leave(page, page.click(".sliders button"))
        assert await page.locator(".heat a").count() == 1


@pytest.mark.only_when("dashboard/")
@pytest.mark.parametrize("width", [360, 1280, 3840])
async def test_pages_fit_every_width_and_stand_still(tab, tmp_path, width):
    """Nothing reaches over the edge, and nothing moves after it was painted (one time of five: half
    a page, painted because the machine is busy, may move)."""
    long = "x" * 300
    records = [
        escalated("run-1", normalized_prompt=long, session=long, mode=long, host=long),
        judged("run-2", artefact={"tests": [{long: long, "name": long}], "more": long}),
        judged("run-3", error={"code": long, "message": long}, final_output=f"{long}\n" * 9),
    ]
    shift = """() => new Promise(done => {
        let sum = 0;
        new PerformanceObserver(list => list.getEntries().forEach(e => sum += e.value))
            .observe({type: "layout-shift", buffered: true});
        requestAnimationFrame(() => setTimeout(() => done(sum), 30));
    })"""
    runs = (
        "/runs/run-1",
        "/runs/run-1?tab=diff",
        "/runs/run-1?tab=verdict",
        "/runs/run-2?tab=artefact",
    )
    paths = (*PAGES, *runs, "/runs/run-3", "/compare?a=run-1&b=run-3", f"?q={long}")
    names = {"models": {"coder": long}, "at": long, "error": long, "run": "run-1"}
    write_results(*(result(f"{long}/{long}", f"{n}{long}", n > 3, **names) for n in range(12)))
    async with shown(tab, tmp_path / "h", *records) as (_, address):
        page = await tab(address, viewport={"width": width, "height": 900})
        for path in paths:
            await page.goto(f"/dashboard{path}")
            over = "document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
            assert await page.evaluate(over) <= 0, path
            for _ in range(4):
                if await page.evaluate(shift) < 0.01:
                    break
                await page.reload()
            else:
                assert await page.evaluate(shift) < 0.01, path
        tab.forgive("404")


async def test_long_words_hide_nothing(tab, tmp_path):
    """The numbers of the facets stay in sight, a prompt is broken into lines, and the labels of the
    thresholds' axes stand beside each other."""
    long = "count the words " * 40
    records = [escalated(f"run-{n}", original_prompt=long, session=f"{long}{n}") for n in range(2)]
    async with shown(tab, tmp_path / "h", *records) as (_, address):
        page = await tab(address, viewport={"width": 1280, "height": 900})
        await page.goto("/dashboard")
        edge = "document.querySelector('.facets').getBoundingClientRect().right"
        values = "[...document.querySelectorAll('.facets .value')]"
        await wait(page, f"{values}.length")
        sight = f"{values}.every(value => value.getBoundingClientRect().right <= {edge})"
        assert await page.evaluate(sight)
        await page.goto("/dashboard/runs/run-1?tab=prompt")
        fits = "e => e.scrollWidth <= e.clientWidth"
        assert await page.locator("pre.code").evaluate(fits)
        await page.set_viewport_size({"width": 800, "height": 900})
        await page.goto("/dashboard/thresholds")
        assert await page.locator(".heat .corner").evaluate(fits)


async def test_text_that_runs_from_right_to_left_is_shown_so(tab, tmp_path):
    """Wherever a prompt, an answer or a session stands, what comes first is on the right and in
    sight; a line from left to right beside it stays one."""
    text = "اكتب دالة بلغة python" + " تجمع الأرقام" * 30
    run = {"original_prompt": f"{text}\nx = sum(جمع)", "normalized_prompt": text, "session": text}
    made = judged("run-1", **run, final_output=text, language=None)
    rightwards = """element => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        const at = (start) => {
            range.setStart(texts.currentNode, start);
            range.setEnd(texts.currentNode, start + 1);
            return range.getBoundingClientRect();
        };
        texts.nextNode();
        const [first, second] = [at(0), at(texts.currentNode.data.indexOf("python"))];
        return first.left > second.left && first.right <= element.getBoundingClientRect().right + 1;
    }"""
    places = {
        "": (".title >> nth=-1", ".session >> nth=-1", ".facets .name:text('python')"),
        "/runs/run-1": ("h1",),
        "/runs/run-1?tab=prompt": (".prose bdi >> nth=0",),
        f"/thread?session={quote(text)}": ("h1", ".asked p", ".said"),
    }
    async with shown(tab, tmp_path / "h", made, judged("run-2", session="s")) as (_, address):
        page = await tab(address, viewport={"width": 700, "height": 900})
        for path, selectors in places.items():
            await page.goto(f"/dashboard{path}")
            for selector in selectors:
                assert await page.locator(selector).evaluate(rightwards), (path, selector)
        await page.goto("/dashboard/runs/run-1?tab=prompt")
        direction = "element => getComputedStyle(element).direction"
        assert await page.locator(".prose bdi >> nth=1").evaluate(direction) == "ltr"


def hostile(number: int, payload: str) -> dict[str, Any]:
    """A run in which everything that is text is the payload."""
    judge = VERDICT | {"judgement_summary": payload, "raw_response": payload}
    unread = judge | {"confidence_score": None, "error": payload}
    error = {"code": payload, "message": payload}
    steps = [
        step(stage, 0, 5, label=payload, model=payload, raw=payload, finish_reason=payload)
        for stage in (payload, "coder", "judge")
    ]
    steps[0]["error"] = error
    return escalated(
        f"run-{number}", ts=f"2026-11-21T10:{number:02}:00Z", host=payload, session=payload,
        source=payload, kind="run", mode=payload, original_prompt=payload,
        normalized_prompt=payload, coder_output=f"x\n{payload}", reviewer_output=payload,
        final_output=payload, final_source=payload, final_reason=payload,
        escalation_reason=payload, judge=unread if number % 2 else judge, reviewer_judge=judge,
        evidence=[{"stage": payload, "kind": payload, "detail": payload}, payload],
        thresholds={"confidence": payload, "conflict": payload}, context_ids=[payload],
        steps=steps, artefact={payload: payload, "tests": [{payload: payload}]},
        error=error if number % 3 == 0 else None,
    )  # fmt: skip


@pytest.mark.only_when("dashboard/")
async def test_sixty_payloads_in_every_field_do_nothing(tab, tmp_path):
    """On every page and as live rows: no script runs, nothing is loaded, no element is theirs."""
    assert len(set(PAYLOADS)) == 60
    records = [hostile(number, payload) for number, payload in enumerate(PAYLOADS)]
    records.append(escalated('"><img src=/hit onerror=window.hit=1>'))
    theirs = """() => {
        const all = [...document.querySelectorAll("*")];
        const foreign = "script, img, iframe, object, embed, video, audio, style, link, base, math";
        const acts = e => [...e.attributes].some(a => /^on|^style$/.test(a.name));
        const leads = e => /^javascript:/i.test(e.getAttribute("href") ?? "");
        const count = selector => document.querySelectorAll(selector).length;
        return [window.hit ?? 0, count(`main :is(${foreign})`), count("script"),
            all.filter(e => acts(e) || leads(e)).length];
    }"""
    clean = [0, 0, 1, 0]
    tabs = ("output", "draft", "diff", "verdict", "artefact")
    async with shown(tab, tmp_path / "h", *records[:58]) as (served, address):
        page = await tab(address)
        await page.goto("/dashboard")
        await wait(page, "document.querySelector('#hold').innerText === 'live'")
        served.add(*records[58:])
        await wait(page, titles(53))
        assert await page.evaluate(theirs) == clean
        paths = ["?group=session", "/numbers", "/thresholds", "/compare", "?before=run-20"]
        paths += [f"/runs/run-{n}?tab={tabs[n % len(tabs)]}" for n in range(len(PAYLOADS))]
        paths += [f"/compare?a=run-{n}&b=run-{n + 1}" for n in range(0, 60, 12)]
        paths += [url("", q=payload) for payload in PAYLOADS[::8]]

        async def visit(some: list[str]) -> None:
            page = await tab(address)
            for path in some:
                await page.goto(f"/dashboard{path}", wait_until="domcontentloaded")
                assert await page.evaluate(theirs) == clean, path

        await asyncio.gather(*(visit(paths[start::4]) for start in range(4)))
        tab.forgive("status of 400")


async def test_a_run_is_followed_and_run_again(tab, daemon_with):
    """It ticks through its stages, in the place of the words that there is none, becomes a row and
    a page; `r` runs it once more."""
    rules = [
        {"role": "coder", "reply": "x = 1", "delay_ms": 2000},
        {"role": "judge", "verdict": [9, 1, "Right."], "delay_ms": 2000},
    ]
    async with daemon_with(*rules) as (_, http):
        address = str(http.base_url)
        page = await tab(address)
        await page.goto("/dashboard")
        running = asyncio.create_task(http.post("/prompt", json={"prompt": "add one"}))
        await page.locator("#running .coder.now").wait_for()
        assert "No runs yet" not in await page.inner_text("main")
        await page.locator("#running .judge.now").wait_for()
        assert (await running).status_code == 200
        await wait(page, titles(1))
        assert await page.locator("#running .row").count() == 0
        async with page.expect_navigation():
            await page.locator("#days .row > a").click()
        first = page.url
        async with page.expect_navigation():
            await page.keyboard.press("r")
        assert page.url != first
        await page.locator(".lane").first.wait_for()
        assert "x = 1" in await page.inner_text(".code")
        await tab.close()


async def test_a_running_row_stays_in_place_while_only_its_time_goes_on(tab, daemon_with):
    """So that no click on it is lost; its time is counted by the page, and goes on while the page
    is held."""
    async with daemon_with({"role": "coder", "reply": "x = 1", "delay_ms": 60_000}) as (_, http):
        page = await tab(str(http.base_url))
        await page.goto("/dashboard")
        await wait(page, "document.querySelector('#hold').innerText === 'live'")
        await page.keyboard.press("Space")
        running = asyncio.create_task(http.post("/prompt", json={"prompt": "///raw add one"}))
        runs: list[dict[str, Any]] = []
        while not runs or runs[0]["elapsed_ms"] < 3000:
            runs = (await http.get("/runs")).json()["runs"]
            await asyncio.sleep(0.05)
        assert await page.locator("#running .row").count() == 0
        await page.keyboard.press("Space")
        elapsed = "Number(document.querySelector('#running .took').dataset.elapsed)"
        shown = await page.evaluate(elapsed)
        assert shown >= 1000
        await page.evaluate("document.querySelector('#running .row').id = 'mine'")
        await wait(page, f"{elapsed} >= {shown + 2000}")
        assert await page.locator("#mine").count() == 1
        await http.delete(f"/runs/{runs[0]['id']}")
        await running
        await tab.close()


async def test_a_token_signs_in_and_a_link_from_elsewhere_only_opens(tab, tmp_path):
    """The form works under the pages' own policy; a link on another site finds one signed in; that
    site's form and script do nothing."""
    token = "correct horse battery"
    async with shown(tab, tmp_path / "h", judged("run-1"), API_TOKEN=token) as (_, address):
        page = await tab(address)
        await page.goto("/dashboard/runs/run-1")
        await page.fill("#token", token)
        async with page.expect_navigation():
            await page.press("#token", "Enter")
        assert urlsplit(page.url).path == "/dashboard/runs/run-1"
        cookies = await page.context.cookies()
        [cookie] = [each for each in cookies if each["name"].startswith("laios_")]
        assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"
        assert token not in str(cookies)
        other = "http://elsewhere.example/"  # never asked: the answer is made here
        body = ELSEWHERE.format(address)
        await page.route(other, lambda route: route.fulfill(body=body, content_type="text/html"))
        await page.goto(other)
        async with page.expect_navigation(url="**/logout"):
            await page.click("button")
        assert "forbidden_origin" in await page.content()
        await page.goto(other)
        await page.click("a")
        await page.locator("#days .row").wait_for()
        tab.forgive(other, "403")


async def test_an_open_page_whose_session_is_over_leads_to_signing_in(tab, tmp_path):
    """When its stream is refused; held, it stays until it is let go."""
    token = "correct horse battery"
    hide = """hidden => {
        Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    async with shown(tab, tmp_path / "h", judged("run-1"), API_TOKEN=token) as (_, address):
        page = await tab(address)
        await page.goto("/dashboard")
        await page.fill("#token", token)
        await leave(page, page.press("#token", "Enter"))
        await wait(page, "document.querySelector('#hold').innerText === 'live'")
        other = await page.context.new_page()
        await other.goto("/dashboard")
        await leave(other, other.click("text=Sign out"))
        await page.keyboard.press("Space")
        await page.evaluate(hide, True)
        async with page.expect_response(lambda answer: answer.request.method == "HEAD"):
            await page.evaluate(hide, False)
        assert await page.locator("#days .row").count() == 1
        async with page.expect_navigation(url="**/login?next=%2Fdashboard"):
            await page.keyboard.press("Space")
        tab.forgive("401")


ELSEWHERE = """<a href="{0}/dashboard">x</a>
<form method="post" action="{0}/dashboard/logout"><button>y</button></form>"""


async def test_the_documents_pictures_can_be_taken(tab, browser, tmp_path):
    """By the same tool that took those in docs/screenshots, each of which is there and small."""
    async with shown(tab, tmp_path / "h", escalated("run-1")) as (_, address):
        await take(browser, address, [Shot("one", "/dashboard", dark=True, width=400)], tmp_path)
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    for shot in SHOTS:
        assert 10_000 < (DOCUMENTS / f"{shot.name}.png").stat().st_size < 150 * 1024, shot.name
