"""Model files from a server that speaks Hugging Face's protocol."""

import errno
import hashlib
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

import pytest
from fake_hub import COMMIT, FakeHub, fake_hub
from ggufs import gguf_bytes, of_another_kind, split
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.errors import BadRequest, LaiosError, ModelFailed, ModelNotFound, ModelUnreachable
from pipeline.models.catalog import CATALOG
from pipeline.models.local_library import MANIFEST, LocalLibrary
from pipeline.models.ollama_library import PullFrame
from pipeline.models.starter import DIRECTORY
from server.downloads import file_download, model_download
from server.downloads.model_download import HALF, ModelDownload
from server.downloads.model_reference import ModelReference, read_reference
from server.downloads.remote_model import choose_files, look_up

pytestmark = pytest.mark.only_when("server/downloads/", "pipeline/models/")

MODEL = (DIRECTORY / "coder.gguf").read_bytes()
REPOSITORY = "somebody/tiny-GGUF"
NAME = f"hf.co/{REPOSITORY}:Q8_0"


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    from huggingface_hub import constants

    files = {"tiny-Q8_0.gguf": MODEL, "mmproj-Q8_0.gguf": b"x", "README.md": b"# Tiny"}
    with fake_hub(repositories={REPOSITORY: files}) as server:
        template = f"{server.url}/{{repo_id}}/resolve/{{revision}}/{{filename}}"
        monkeypatch.setattr(constants, "ENDPOINT", server.url)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.delenv("HF_TOKEN", raising=False)
        yield server


@pytest.fixture
def library(tmp_path: Path) -> LocalLibrary:
    return LocalLibrary(tmp_path / "models")


def pull(library: LocalLibrary, name: str = NAME) -> list[PullFrame]:
    """Pulls a model; its news."""
    news: list[PullFrame] = []
    ModelDownload(library, look_up(read_reference(name)), news.append).run()
    return news


def half(library: LocalLibrary) -> list[int]:
    """The sizes of what has come of files that are not whole."""
    return [path.stat().st_size for path in (library.directory / HALF).glob("*")]


def test_a_repository_s_file_is_fetched_checked_and_kept(
    hub: FakeHub, library: LocalLibrary
) -> None:
    """By its quantization, at the commit of now; where it came from is written beside it."""
    news = pull(library)
    entry = library.get(NAME)
    assert entry.path.read_bytes() == MODEL and entry.path.name == "tiny-Q8_0.gguf"
    assert (entry.manifest.commit, entry.manifest.licence) == (COMMIT, "apache-2.0")
    assert entry.manifest.parts[0].sha256 == hashlib.sha256(MODEL).hexdigest()
    assert news[-3].completed == news[-3].total == len(MODEL)
    assert half(library) == []


def test_what_is_here_already_is_not_fetched_again(hub: FakeHub, library: LocalLibrary) -> None:
    """The hub is asked what it has; nothing is sent. A damaged one is fetched anew, be it of the
    same size."""
    pull(library)
    assert pull(library)[-1].status == "its SHA-256 matches"
    assert len(hub.sent()) == 1
    place = library.directory / NAME / "tiny-Q8_0.gguf"
    for damaged in (MODEL[:100], MODEL[:-100] + bytes(100)):
        place.write_bytes(damaged)
        pull(library)
        assert library.get(NAME).path.read_bytes() == MODEL


@pytest.mark.parametrize("unsaid", [False, True])
def test_a_line_that_breaks_is_taken_up_where_it_broke(
    hub: FakeHub, library: LocalLibrary, unsaid: bool
) -> None:
    """Twice in one pull, without a byte fetched twice, also where an answer does not say how long
    it is."""
    hub.cut, hub.unsaid = [1_000_000, 500_000], unsaid
    pull(library)
    assert library.get(NAME).path.read_bytes() == MODEL
    assert hub.sent() == [None, "bytes=1000000-", "bytes=1500000-"]


def test_a_line_that_stays_broken_ends_it_and_what_has_come_is_kept(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next pull goes on there."""
    monkeypatch.setattr(file_download, "TRIES", 1)
    hub.cut = [1_000_000, 0]
    with pytest.raises(ModelUnreachable):
        pull(library)
    assert half(library) == [1_000_000] and library.entries() == []
    pull(library)
    assert hub.sent()[-1] == "bytes=1000000-"
    assert library.get(NAME).path.read_bytes() == MODEL


@pytest.mark.parametrize("etags", [True, False])
def test_a_half_file_of_another_version_is_not_gone_on_with(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch, etags: bool
) -> None:
    """At an address that leads to another server: that one's ETag tells whether the file is still
    the same. Without one the file begins anew. Of the other version nothing stays."""
    monkeypatch.setattr(file_download, "TRIES", 1)
    address, hub.etags = f"{hub.url}/x.gguf", etags
    hub.moved["/x.gguf"] = f"{hub.url.replace('127.0.0.1', 'localhost')}/cdn/files/x.gguf"
    for version in (MODEL, MODEL[:-1] + b"x"):
        hub.others["/files/x.gguf"] = version
        hub.cut = [0, 1_000_000, 0]  # the first is asked for its size only
        with pytest.raises(ModelUnreachable):
            pull(library, address)
    assert half(library) == [1_000_000]
    assert look_up(read_reference(address)).size == len(MODEL)
    pull(library, address)
    assert library.get("x").path.read_bytes() == version
    assert hub.sent()[-1] == ("bytes=1000000-" if etags else None)


def test_a_server_without_ranges_sends_it_all_again(hub: FakeHub, library: LocalLibrary) -> None:
    """What has come is dropped then, not put before the whole."""
    hub.cut, hub.no_ranges = [1_000_000], True
    pull(library)
    assert library.get(NAME).path.read_bytes() == MODEL


def test_a_server_that_sends_other_parts_is_not_asked_for_ever(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each try brings bytes, and none brings one that was not there before."""
    monkeypatch.setattr(file_download.time, "sleep", lambda seconds: None)
    hub.cut, hub.other_ranges = [1_000_000, 9_000_000] * 100, True
    with pytest.raises(ModelUnreachable, match="a different part"):
        pull(library)
    assert len(hub.sent()) <= 3 * file_download.TRIES


def test_a_file_that_does_not_end_where_it_should_is_left(
    hub: FakeHub, library: LocalLibrary
) -> None:
    """One without an end would fill the disk."""
    hub.more = bytes(20_000_000)
    with pytest.raises(ModelFailed, match=r"arrived damaged \(1,\d{3},\d{3} bytes"):
        pull(library)
    assert half(library) == []


def test_a_library_that_cannot_be_had_is_told(hub: FakeHub, tmp_path: Path) -> None:
    """A directory of another user's, or one that no disk takes: with its path and the reason."""
    for part in ("x" * 300, "x" * 300 + "/models"):
        library = LocalLibrary(tmp_path / part)
        with pytest.raises(ModelFailed, match="cannot be written: File name too long"):
            pull(library)
        assert library.entries() == []


def test_a_page_in_place_of_the_hub_s_answer_is_told(hub: FakeHub, library: LocalLibrary) -> None:
    """Of a network that wants a log-in first, or of a server that HF_ENDPOINT names by mistake."""
    for hub.page in (b"<html>Please log in</html>", b"[]", b'{"id": "a/b", "siblings": [{}]}'):
        with pytest.raises(ModelFailed, match="not from Hugging Face"):
            pull(library)


def test_more_than_the_whole_begins_anew(hub: FakeHub, library: LocalLibrary) -> None:
    """A half file that is longer than the whole is none of it (416)."""
    remote = look_up(read_reference(NAME))
    download = file_download.FileDownload(remote.files[0], library.directory / HALF)
    download.path.parent.mkdir(parents=True)
    download.path.write_bytes(MODEL + b"more")
    pull(library)
    assert library.get(NAME).path.read_bytes() == MODEL


def test_a_wrong_checksum_is_never_loaded(hub: FakeHub, library: LocalLibrary) -> None:
    """The file is deleted, and the message says so."""
    hub.lies = True
    with pytest.raises(ModelFailed, match=r"arrived damaged.*deleted"):
        pull(library)
    assert half(library) == [] and library.entries() == []


def test_a_catalogue_s_checksum_wins_over_the_hub_s(hub: FakeHub, library: LocalLibrary) -> None:
    """A file that was exchanged on the hub is refused before its first byte."""
    reference = ModelReference("tiny", REPOSITORY, "tiny-Q8_0.gguf", sha256="f" * 64)
    with pytest.raises(ModelFailed, match=r"a different tiny-Q8_0\.gguf from the one"):
        look_up(reference)
    assert hub.sent() == []


def test_a_split_model_comes_in_all_its_parts(hub: FakeHub, library: LocalLibrary) -> None:
    """In order and under their own names, since llama.cpp finds the others by the first."""
    first, second = split(MODEL)
    names = [f"tiny-Q8_0-0000{n}-of-00002.gguf" for n in (1, 2)]
    hub.repositories[REPOSITORY] = {f"Q8_0/{names[1]}": second, f"Q8_0/{names[0]}": first}
    pull(library)
    entry = library.get(NAME)
    assert entry.path.name == names[0] and entry.size == len(first + second)
    assert entry.path.with_name(names[1]).read_bytes() == second


def test_whole_parts_stay_when_a_later_one_fails(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are not fetched again."""
    parts = split(MODEL)
    names = [f"tiny-Q8_0-0000{n}-of-00002.gguf" for n in (1, 2)]
    hub.repositories[REPOSITORY] = dict(zip(names, parts, strict=True))
    hub.cut = [len(parts[0]), 0]
    with monkeypatch.context() as patched, pytest.raises(ModelUnreachable):
        patched.setattr(file_download, "TRIES", 1)
        pull(library)
    assert library.entries() == []
    pull(library)
    assert [path for method, path, _ in hub.requests if method == "GET" and "cdn" in path] == [
        f"/cdn/{REPOSITORY}/{name}" for name in (names[0], names[1], names[1])
    ]


@pytest.mark.parametrize(
    ("prepare", "name", "error", "words"),
    [
        (
            lambda hub: None,
            "hf.co/somebody/else",
            ModelNotFound,
            "does not exist, or is not public",
        ),
        (lambda hub: hub.gated.add(REPOSITORY), NAME, ModelNotFound, "HF_TOKEN"),
        (lambda hub: None, f"hf.co/{REPOSITORY}", ModelNotFound, "no Q4_K_M; it has Q8_0"),
        (lambda hub: None, f"hf.co/{REPOSITORY}:Q2_K", ModelNotFound, "no Q2_K; it has Q8_0"),
        (lambda hub: None, "hf.co/a--b/..", ModelNotFound, "repository"),
    ],
)
def test_what_the_hub_does_not_give_is_said(
    hub: FakeHub,
    library: LocalLibrary,
    prepare: Callable[[FakeHub], None],
    name: str,
    error: type[LaiosError],
    words: str,
) -> None:
    """No such repository, one that wants an account, another quantization: nothing is fetched."""
    prepare(hub)
    with pytest.raises(error, match=words):
        pull(library, name)
    assert hub.sent() == []


@pytest.mark.parametrize("directory", ["", "a%20b-00001-of-00002.gguf/"])
def test_the_parts_at_an_address_are_those_of_their_numbers(
    hub: FakeHub, library: LocalLibrary, directory: str
) -> None:
    """Also where the name is escaped in the address, and where a directory has it too."""
    names = [f"a b-0000{n}-of-00002.gguf" for n in (1, 2)]
    for name, content in zip(names, split(MODEL), strict=True):
        hub.others[f"/{unquote(directory)}{name}"] = content
    pull(library, f"{hub.url}/{directory}a%20b-00001-of-00002.gguf")
    [entry] = library.entries()
    assert [entry.path.with_name(name).read_bytes() for name in names] == split(MODEL)


def test_an_address_of_no_parts_is_that_of_one_file(hub: FakeHub, library: LocalLibrary) -> None:
    """`-of-00000` says nothing about other files."""
    hub.others["/x-00002-of-00000.gguf"] = MODEL
    pull(library, f"{hub.url}/x-00002-of-00000.gguf")
    assert library.get("x-00002-of-00000").path.read_bytes() == MODEL


@pytest.mark.parametrize("file", ["gone-Q8_0.gguf", "gone-00001-of-00002.gguf"])
def test_an_address_that_leads_to_nothing_is_said(
    hub: FakeHub, library: LocalLibrary, file: str
) -> None:
    """Of a repository's file and of any other (404): it is named, and nothing is fetched."""
    for address in (f"{REPOSITORY}/resolve/main/{file}", f"files/{file}"):
        with pytest.raises(ModelNotFound, match=rf"There is no http.*{file}\. Check the spelling"):
            pull(library, f"{hub.url}/{address}")
    assert hub.sent() == [] and not library.directory.exists()


def test_a_catalogue_s_file_that_is_not_there_any_more_is_said(
    hub: FakeHub, library: LocalLibrary
) -> None:
    """The repository is there, without it."""
    reference = ModelReference("tiny", REPOSITORY, "gone-Q8_0.gguf")
    with pytest.raises(ModelNotFound, match=r"has no file gone-Q8_0\.gguf \(any more\)"):
        look_up(reference)
    assert hub.sent() == []


def test_a_file_that_goes_before_it_is_fetched_leaves_nothing(
    hub: FakeHub, library: LocalLibrary
) -> None:
    """Looked up, and then 404: no empty half file either."""
    remote = look_up(read_reference(NAME))
    del hub.repositories[REPOSITORY]
    with pytest.raises(ModelNotFound, match=r"There is no http.*tiny-Q8_0\.gguf"):
        ModelDownload(library, remote, lambda frame: None).run()
    assert half(library) == [] and library.entries() == []


def test_a_token_goes_to_the_hub_alone(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gated repository opens with HF_TOKEN, by its name and by a file's address; another server
    never sees it, be it the one to which the hub sends on."""
    hub.gated.add(REPOSITORY)
    hub.store = hub.url.replace("127.0.0.1", "localhost")
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    pull(library)
    assert library.get(NAME).path.read_bytes() == MODEL
    pull(library, f"{hub.url}/{REPOSITORY}/resolve/main/tiny-Q8_0.gguf")
    assert library.get("tiny-Q8_0").path.read_bytes() == MODEL
    paths = [path for _, path, _ in hub.requests]
    for path, token in zip(paths, hub.tokens, strict=True):
        assert token == (None if path.startswith("/cdn/") else "Bearer hf_secret")
    hub.tokens.clear()
    with pytest.raises(ModelNotFound):
        pull(library, f"{hub.store}/{REPOSITORY}/resolve/main/tiny-Q8_0.gguf")
    assert set(hub.tokens) == {None}
    with fake_hub(others={"/files/tiny.gguf": MODEL}) as other:
        pull(library, f"{other.url}/files/tiny.gguf")
        assert set(other.tokens) == {None}


def test_a_token_that_the_hub_refuses_is_said(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It closes what is open to everybody, by its name and by an address; a good one does not make
    a repository that does not exist look like that."""
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    with pytest.raises(ModelNotFound, match="does not exist, or is not public"):
        pull(library, "hf.co/somebody/else")
    hub.expired = "hf_secret"
    for name in (NAME, f"{hub.url}/{REPOSITORY}/resolve/main/tiny-Q8_0.gguf"):
        with pytest.raises(ModelFailed, match=r"refuses your token.*unset HF_TOKEN"):
            pull(library, name)
    monkeypatch.delenv("HF_TOKEN")
    pull(library)
    assert library.get(NAME).path.read_bytes() == MODEL


def test_an_address_of_a_file_is_enough(hub: FakeHub, library: LocalLibrary) -> None:
    """Without the hub's metadata: size and contents are checked, the checksum is written down, and
    told as one that nothing was compared with."""
    hub.others["/files/tiny%20one.gguf".replace("%20", " ")] = MODEL
    news = pull(library, f"{hub.url}/files/tiny%20one.gguf?download=true")
    entry = library.get("tiny-one")
    assert entry.path.read_bytes() == MODEL
    checksum = hashlib.sha256(MODEL).hexdigest()
    assert entry.manifest.parts[0].sha256 == checksum
    [said] = [frame.status for frame in news if "SHA-256" in frame.status]
    assert said.endswith(f"SHA-256 not compared, the server states none; it is {checksum}")


def test_the_files_of_the_model_that_had_the_name_do_not_stay(
    hub: FakeHub, library: LocalLibrary
) -> None:
    """Of an older version under another file name, and of one from another address, which is named
    then; what the user has put beside them stays."""
    pull(library)
    beside = library.get(NAME).path.with_name("notes.txt")
    beside.write_text("mine")
    names = [f"tiny-v2-Q8_0-0000{n}-of-00002.gguf" for n in (1, 2)]
    hub.repositories[REPOSITORY] = dict(zip(names, split(MODEL), strict=True))
    assert "takes the place" not in pull(library)[-1].status
    there = {path.name for path in beside.parent.iterdir()}
    assert there == {*names, beside.name, MANIFEST}
    for place in ("a", "b"):
        hub.others[f"/{place}/x.gguf"] = MODEL
        news = pull(library, f"{hub.url}/{place}/x.gguf")
    assert news[-1].status == f"It takes the place of {hub.url}/a/x.gguf, which had this name."
    assert library.get("x").manifest.source == f"{hub.url}/b/x.gguf"


def test_an_address_on_the_hub_has_its_checksum(hub: FakeHub, library: LocalLibrary) -> None:
    """The hub states it where it sends on to its store: another file is deleted."""
    hub.store = hub.url.replace("127.0.0.1", "localhost")
    address = f"{hub.url}/{REPOSITORY}/resolve/main/tiny-Q8_0.gguf"
    assert "tiny-Q8_0.gguf: SHA-256 matches" in [frame.status for frame in pull(library, address)]
    hub.lies = True
    with pytest.raises(ModelFailed, match=r"arrived damaged.*deleted"):
        pull(library, address)
    assert half(library) == [] and library.get("tiny-Q8_0").path.read_bytes() == MODEL


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<html>sign in</html>" * 99, "is not a GGUF model"),
        (gguf_bytes({"general.architecture": "llama"}), "no chat template"),
        (MODEL[: len(MODEL) // 2], "is cut off: it has 863,424 of at least 1,726,848 bytes"),
        (of_another_kind(MODEL), r"unknown model architecture: 'odder'\. .*laios models catalog"),
        (MODEL.replace(b"output_norm", b"output_nrom"), "'output_norm.weight' not found"),
    ],
    ids=["a page", "a base model", "half", "another kind", "a weight missing"],
)
def test_what_is_no_chat_model_is_not_kept(
    hub: FakeHub, library: LocalLibrary, content: bytes, words: str
) -> None:
    """A page in its place, a base model, one that llama.cpp cannot load, with the reason: the file
    is deleted, the library stays as it was."""
    hub.others["/x.gguf"] = content
    with pytest.raises(ModelNotFound, match=rf"x\.gguf.*{words}"):
        pull(library, f"{hub.url}/x.gguf")
    assert half(library) == [] and library.entries() == []


def test_a_base_model_is_refused_by_its_beginning(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest of it is not fetched, and nothing of it stays."""
    monkeypatch.setattr(model_download, "EARLY_BYTES", 1000)
    header = gguf_bytes({"general.architecture": "llama"})
    hub.others["/x.gguf"] = header + bytes(20_000_000)
    news: list[PullFrame] = []
    remote = look_up(read_reference(f"{hub.url}/x.gguf"))
    with pytest.raises(ModelNotFound, match="no chat template"):
        ModelDownload(library, remote, news.append).run()
    assert max(frame.completed or 0 for frame in news) < 20_000_000
    assert half(library) == []


def test_a_model_larger_than_memory_is_refused_before_the_first_byte(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what it needs and what there is."""
    monkeypatch.setattr(model_download, "total_memory", lambda: 400_000_000)
    with pytest.raises(ModelFailed, match=r"needs 0\.5 GB of memory and this machine has 0\.4 GB"):
        pull(library)
    assert hub.sent() == []


def test_a_disk_without_room_is_said_before_the_first_byte(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the setting that leads elsewhere."""
    room = shutil._ntuple_diskusage(10**12, 10**12, 1_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: room)
    with pytest.raises(ModelFailed, match="MODELS_DIR"):
        pull(library)
    assert hub.sent() == []


def test_a_disk_that_fills_up_on_the_way_is_said(hub: FakeHub, library: LocalLibrary) -> None:
    """The system's error, without a trace; there is no model."""
    remote = look_up(read_reference(NAME))
    download = file_download.FileDownload(remote.files[0], library.directory / HALF)
    download.path.parent.mkdir(parents=True)
    download.path.symlink_to("/dev/full")
    with pytest.raises(ModelFailed, match=r"No space left on device.*continues from there"):
        pull(library)
    assert library.entries() == []


def test_a_half_file_that_nothing_can_go_on_with_is_not_left_on_a_full_disk(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an ETag nobody could tell what it is the half of."""

    def full(download: file_download.FileDownload, part: BinaryIO, *rest: object) -> None:
        part.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(file_download.FileDownload, "_receive", full)
    hub.others["/x.gguf"] = MODEL
    with pytest.raises(ModelFailed, match=r"No space left on device.*begins anew"):
        pull(library, f"{hub.url}/x.gguf")
    assert half(library) == []


def test_two_pulls_of_one_model_do_not_write_into_one_file(
    hub: FakeHub, library: LocalLibrary
) -> None:
    """The second says that there is a first."""
    hub.cut, hub.hold = [1000], threading.Event()
    first = threading.Thread(target=pull, args=(library,))
    first.start()
    while not half(library):
        pass
    with pytest.raises(ModelFailed, match="Another process is downloading"):
        pull(library)
    hub.hold.set()
    first.join()
    assert library.get(NAME).path.read_bytes() == MODEL


def test_offline_means_that_nothing_is_asked(
    hub: FakeHub, library: LocalLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HF_HUB_OFFLINE holds here as everywhere."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(ModelUnreachable, match="HF_HUB_OFFLINE"):
        pull(library)
    assert hub.requests == []


FILES = ["a/x-Q4_K_M.gguf", "x-q8_0.gguf", "x-IQ2_XXS.gguf", "x-UD-Q4_K_M.gguf", "x-BF16.gguf"]
FILES += ["y-Q6_K-00001-of-00002.gguf", "y-Q6_K-00002-of-00002.gguf", "z-Q5_0-00001-of-00002.gguf"]


@pytest.mark.parametrize(
    ("quantization", "chosen"),
    [
        ("Q4_K_M", ["a/x-Q4_K_M.gguf"]),
        ("UD-Q4_K_M", ["x-UD-Q4_K_M.gguf"]),
        ("Q8_0", ["x-q8_0.gguf"]),
        ("IQ2_XXS", ["x-IQ2_XXS.gguf"]),
        ("BF16", ["x-BF16.gguf"]),
        ("Q6_K", FILES[5:7]),
        ("Q5_0", None),
        ("Q4_0", None),
        ("Q4_K", None),
    ],
)
def test_a_quantization_is_taken_to_the_letter(quantization: str, chosen: list[str] | None) -> None:
    """In either case, in parts as well; incomplete parts and others are an error."""
    reference = ModelReference("x", "u/x", quantization=quantization)
    if chosen is None:
        with pytest.raises(ModelNotFound):
            choose_files(FILES, reference)
    else:
        assert choose_files(FILES, reference) == chosen


def test_a_whole_file_comes_before_its_parts_and_two_models_are_not_guessed() -> None:
    """Some repositories have both; in some there are several models."""
    reference = ModelReference("x", "u/x", quantization="Q4_K_M")
    parts = [f"m-Q4_K_M-0000{n}-of-00002.gguf" for n in (1, 2)]
    for apart in (parts, [f"Q4_K_M/{name}" for name in parts]):
        assert choose_files(["m-Q4_K_M.gguf", *apart], reference) == ["m-Q4_K_M.gguf"]
    with pytest.raises(ModelNotFound, match=r"several models.*m-Q4_K_M, n-Q4_K_M"):
        choose_files(["m-Q4_K_M.gguf", "n-Q4_K_M.gguf"], reference)
    with pytest.raises(ModelNotFound, match=r"several models.*a/m-Q4_K_M, b/m-Q4_K_M.*u/x/resolve"):
        choose_files([f"{where}/{name}" for where in "ab" for name in parts], reference)
    with pytest.raises(ModelNotFound, match=r"several models.*m-Q4_K_M, v2/m-Q4_K_M"):
        choose_files(["m-Q4_K_M.gguf", "v2/m-Q4_K_M.gguf"], reference)


@pytest.mark.parametrize(
    ("file", "quantization"),
    [
        ("x-fp16.gguf", "FP16"),
        ("x-TQ2_0.gguf", "TQ2_0"),
        ("x-UD-TQ1_0.gguf", "UD-TQ1_0"),
        ("Q4_K_M.gguf", "Q4_K_M"),
        ("x/UD-Q4_K_XL-00001-of-00001.gguf", "UD-Q4_K_XL"),
    ],
)
def test_every_quantization_can_be_named(file: str, quantization: str) -> None:
    """Also where the file's name has nothing before it."""
    reference = ModelReference("x", "u/x", quantization=quantization)
    assert choose_files([file, "x-IQ1_S.gguf"], reference) == [file]


def test_a_repository_without_quantizations_says_how_to_name_a_file() -> None:
    """By its address; one without any GGUF file says that there is none."""
    reference = ModelReference("x", "u/x", quantization="Q4_K_M")
    with pytest.raises(ModelNotFound, match=r"names: a/model\.gguf\..*/u/x/resolve/main/FILE"):
        choose_files(["a/model.gguf", "README.md"], reference)
    with pytest.raises(ModelNotFound, match=r"has no GGUF files\. Look for"):
        choose_files(["model.safetensors"], reference)


@settings(max_examples=60)
@given(st.text("abQ4.:/-%? é", max_size=30), st.sampled_from(["", "hf.co/", "https://h/"]))
def test_any_name_is_understood_or_refused(text: str, head: str) -> None:
    """And what is understood has a name that the library takes."""
    try:
        reference = read_reference(head + text)
    except (BadRequest, ModelNotFound):
        return
    assert reference.url or reference.repository
    assert ".." not in reference.name.split("/")


def test_the_catalogue_is_sound() -> None:
    """Names once, the smallest first, files that are model files, and a chat model throughout but
    for the one that makes vectors."""
    assert len({model.name for model in CATALOG}) == len(CATALOG)
    chatting = [model.size for model in CATALOG if model.chats]
    assert chatting == sorted(chatting) and len(CATALOG) - len(chatting) == 1
    for model in CATALOG:
        assert model.file.endswith(".gguf") and model.repository.count("/") == 1
        if model.chats:
            assert read_reference(model.name).file == model.file


@pytest.mark.parametrize("path", ["..%2F..%2Fx.gguf", "%2Fetc%2Fx.gguf", "a/..%2Fx.gguf"])
def test_an_address_names_a_file_and_no_directory(path: str) -> None:
    """What is fetched lies below MODELS_DIR, however the address is written."""
    assert read_reference(f"https://h/{path}").file == "x.gguf"
    for address in ("https://h/x%00.gguf", "https://[::1/x.gguf"):
        with pytest.raises(BadRequest):
            read_reference(address)
