"""What pydantic finds wrong is told in the user's words, at the place in what they wrote."""

import json
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core.core_schema import ErrorType

from chattest.files.schema_errors import WORDS, list_json_problems, list_problems


class Cat(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    kind: Literal["cat"]
    name: Annotated[str, Field(min_length=1, max_length=5, pattern=r"\S")] = "Tom"
    age: Annotated[int, Field(ge=0, lt=40)] | None = None
    weight: float = Field(1.5, gt=0.5, le=9)
    friends: Annotated[list["Cat"], Field(max_length=1)] = []
    tame: bool | Annotated[str, Field(min_length=1)] = True


class Dog(BaseModel):
    kind: Literal["dog"]
    toys: list[Cat] | str = ""
    house: tuple[str, str] = ("", "")


ANIMAL: TypeAdapter[Any] = TypeAdapter(Annotated[Cat | Dog, Field(discriminator="kind")])


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"kind": "cat", "name": ""}, ["name: must not be empty"]),
        ({"kind": "cat", "name": " "}, ["name: must not be blank"]),
        ({"kind": "cat", "name": "Thomas"}, ["name: must have 5 characters at most"]),
        ({"kind": "cat", "name": 13}, ['name: write "13"']),
        ({"kind": "cat", "name": True}, ["name: must be a text in quotes"]),
        ({"kind": "cat", "nmae": "x"}, ["nmae: is not known here"]),
        ({"kind": "cat", "age": -1}, ["age: must be 0 or more"]),
        ({"kind": "cat", "age": 40}, ["age: must be less than 40"]),
        ({"kind": "cat", "age": 1.5}, ["age: must be a whole number"]),
        ({"kind": "cat", "weight": 0.5}, ["weight: must be more than 0.5"]),
        ({"kind": "cat", "weight": 10.0}, ["weight: must be 9 or less"]),
        ({"kind": "cat", "weight": "heavy"}, ["weight: must be a number"]),
        ({"kind": "cat", "friends": "none"}, ["friends: must be a list, [...]"]),
        ({"kind": "cat", "friends": [{"kind": "cat"}] * 2}, ["friends: must have 1 entries at most, and has 2"]),
        ({"kind": "cat", "friends": [3]}, ["friends[0]: must be a table, {...}"]),
        ({"kind": "cat", "friends": [{"kind": "cat", "age": "x"}]}, ["friends[0].age: must be a whole number"]),
        ({"kind": "cat", "tame": 13}, ['tame: write "13"']),
        ({"kind": "cat", "tame": None}, ["tame: must be true or false, or a text in quotes"]),
        ({"kind": "cat", "tame": ""}, ["tame: must not be empty"]),
        ({"kind": "dog", "toys": [{"kind": "cat", "age": "x"}]}, ["toys[0].age: must be a whole number"]),
        ({"kind": "dog", "toys": None}, ["toys: must be a list, [...], or a text in quotes"]),
        ({"kind": "dog", "house": ["red"]}, ["house[1]: is missing"]),
        ({"kind": "dog", "house": "red"}, ["house: must be a list, [...]"]),
        ({"kind": "cow"}, ['"kind" must be one of "cat", "dog"']),
        ({}, ['has no "kind", which says what it is']),
        (3, ["must be a table, {...}"]),
        ({"kind": "cat", "name": "", "age": "x"}, ["name: must not be empty", "age: must be a whole number"]),
    ],
)
def test_what_is_wrong_is_told_in_plain_words_with_its_place(given: Any, expected: list[str]) -> None:
    with pytest.raises(ValidationError) as refused:
        ANIMAL.validate_python(given)
    assert [str(wrong) for wrong in list_problems(refused.value, given)] == expected
    text = json.dumps(given)
    with pytest.raises(ValidationError) as refused:
        ANIMAL.validate_json(text)
    assert [str(wrong) for wrong in list_json_problems(refused.value, text)] == expected


def test_what_is_no_json_is_told() -> None:
    with pytest.raises(ValidationError) as refused:
        ANIMAL.validate_json("{")
    (wrong,) = list_json_problems(refused.value, "{")
    assert str(wrong) == "is not JSON: EOF while parsing an object at line 1 column 1"


def test_a_name_that_is_not_known_is_told_apart() -> None:
    given = {"kind": "cat", "nmae": "x", "age": "x"}
    with pytest.raises(ValidationError) as refused:
        Cat.model_validate(given)
    assert {wrong.place: wrong.unknown for wrong in list_problems(refused.value, given)} == {
        ("nmae",): True,
        ("age",): False,
    }


def test_the_table_names_errors_that_there_are() -> None:
    assert set(WORDS) - set(get_args(ErrorType)) == {"path_type"}  # which pydantic makes by itself
