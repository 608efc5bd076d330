"""The written chat replies: the marked answer is the right value, and none of the judging set is learnt from."""

import json
import random
import tomllib

from tests.support.paths import DATA
from training.chat_replies import FORMS, chat_replies

JUDGED = DATA / "judging"


def test_an_answer_is_one_of_the_topics_values() -> None:
    values = {v.lower() for topic in tomllib.loads(FORMS.read_text())["topic"] for v in topic["values"]}
    answered = [item for item in chat_replies(2000, random.Random(1)) if item.spans]
    assert {item.answers[0].lower() for item in answered} <= values
    assert 0.4 < len(answered) / 2000 < 0.8


def test_a_corrected_reply_answers_with_what_remains() -> None:
    corrected = [item for item in chat_replies(3000, random.Random(2)) if item.title == "corrected"]
    for item in corrected:
        start, end = item.spans[0]
        assert item.passage[start:end]
    forms = tomllib.loads(FORMS.read_text())["corrected"]
    assert all(form.count("{v}") == 1 and form.count("{w}") == 1 for form in forms)


def test_a_seed_gives_the_same_replies() -> None:
    assert chat_replies(50, random.Random(3)) == chat_replies(50, random.Random(3))
    assert chat_replies(50, random.Random(3)) != chat_replies(50, random.Random(4))


def test_no_reply_of_the_judging_set_in_a_sentence_is_learnt_from() -> None:
    judged = {
        json.loads(line)["reply"].strip()
        for file in JUDGED.glob("open-*.jsonl")
        for line in file.read_text(encoding="utf-8").splitlines()
    }
    assert len(judged) > 100
    learnt = {item.passage for item in chat_replies(20000, random.Random(4)) if item.spans and len(item.passage) > 25}
    assert not judged & learnt
