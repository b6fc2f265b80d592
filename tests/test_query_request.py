"""Reading the body of `POST /query`."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import BadRequest
from pipeline.rag.query_task import MAX_HEAD, GivenFile
from server.api.query_request import (
    MAX_CODE,
    MAX_FILES,
    MAX_QUERY,
    NEED_CODE,
    read_query,
)


def test_a_file_may_be_its_name_alone():
    """Or a name and how its text begins; nothing else is needed but the query."""
    query = read_query({"query": "x", "data_files": ["a.csv", {"name": "b.csv", "head": "x,y"}]})
    assert query.data_files == (GivenFile(name="a.csv"), GivenFile(name="b.csv", head="x,y"))
    assert (query.type, query.code, query.session, query.no_log) == (None, None, None, False)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, 'The field "query" is missing.'),
        ({"query": 1}, 'The field "query" must be a string.'),
        ({"query": ""}, 'The field "query" is empty.'),
        ({"query": " \n"}, 'The field "query" is blank: say what is wanted.'),
        ({"query": "x" * (MAX_QUERY + 1)}, 'The field "query" is longer than 10,000 characters.'),
        ({"query": "x", "typ": "api"}, "Unknown field 'typ'. Did you mean 'type'? Fields: query,"),
        ({"query": "x", "type": "pai"}, "cannot be 'pai'. Did you mean 'api'? type is one of: pl"),
        ({"query": "x", "type": 7}, 'The field "type" must be a string. type is one of: plan,'),
        ({"query": "x", "type": False}, "must be a string. type is one of"),
        ({"query": "x", "code": []}, 'The field "code" must be a string.'),
        ({"query": "x", "code": "y" * (MAX_CODE + 1)}, '"code" is longer than 50,000'),
        ({"query": "x", "data_files": "a"}, 'The field "data_files" must be a list of strings.'),
        ({"query": "x", "data_files": [1]}, '"data_files" (item 0) must be a string or an object.'),
        ({"query": "x", "data_files": [""]}, '"data_files" (item 0) "name" is empty.'),
        ({"query": "x", "data_files": ["a", {}]}, '"data_files" (item 1) "name" is missing.'),
        ({"query": "x", "data_files": [{"name": "a", "had": ""}]}, '(item 0) "had" is unknown.'),
        (
            {"query": "x", "data_files": [{"name": "a", "head": "y" * (MAX_HEAD + 1)}]},
            '(item 0) "head" is longer than 4,000 characters.',
        ),
        ({"query": "x", "data_files": ["a"] * (MAX_FILES + 1)}, "has more than 20 items."),
        ({"query": "x", "session": "s" * 257}, '"session" is longer than 256'),
        ({"query": "x", "no_log": 1}, 'The field "no_log" must be true or false.'),
    ],
)
def test_what_is_wrong_is_said(body, said):
    """With the field's name and what it has to be."""
    with pytest.raises(BadRequest) as caught:
        read_query(body)
    assert said in caught.value.message


@pytest.mark.parametrize("kind", NEED_CODE)
@pytest.mark.parametrize("code", [None, "", " \n"])
def test_what_is_about_code_needs_the_code(kind, code):
    """Said before a model is asked."""
    with pytest.raises(BadRequest, match='"code" is missing'):
        read_query({"query": "x", "type": kind, "code": code})
    assert read_query({"query": "x", "type": kind, "code": "y"}).code == "y"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
_NAMES = st.sampled_from(["query", "type", "code", "data_files", "session", "no_log", "x"])


@given(st.dictionaries(_NAMES, _JSON))
def test_any_object_is_read_or_refused_in_a_sentence(body):
    """No other error, whatever it is."""
    try:
        read_query(body)
    except BadRequest as error:
        assert error.message.endswith(".") and "\n" not in error.message
