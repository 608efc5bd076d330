"""The reference reader on tiny models; some with weights set by hand, so that the right answer is known."""

import math
import time

import pytest

from chattest.errors import ModelError
from chattest.models.protocols import Reader
from chattest.models.reference.reader import DEFAULT, MAX_ANSWER_TOKENS, ReferenceReader, check

pytestmark = pytest.mark.usefixtures("no_hub")

QUESTION = "What is my cat called?"


@pytest.fixture(scope="module")
def random_folder(bert, tmp_path_factory):
    return bert(tmp_path_factory.mktemp("qa") / "tiny-squad", "BertForQuestionAnswering")


@pytest.fixture(scope="module")
def reader(random_folder):
    return ReferenceReader(str(random_folder), "cpu")


@pytest.fixture(scope="module")
def marked(bert, tmp_path_factory):
    """Makes readers whose answers start at the word "begin" (or "mitt"), end at "end" (or "##ens")."""
    import torch
    import transformers

    def make(name: str, no_answer: float = 0.0) -> ReferenceReader:
        folder = bert(tmp_path_factory.mktemp("marked") / name, "BertForQuestionAnswering", num_hidden_layers=0)
        model = transformers.BertForQuestionAnswering.from_pretrained(folder)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        with torch.no_grad():
            embeddings = model.bert.embeddings
            for part in (embeddings.word_embeddings, embeddings.position_embeddings, embeddings.token_type_embeddings):
                part.weight.zero_()
            for place, words in enumerate((["begin", "mitt"], ["end", "##ens"], ["[CLS]"])):
                embeddings.word_embeddings.weight[tokenizer.convert_tokens_to_ids(words), place] = 1.0
            model.qa_outputs.weight.zero_()
            model.qa_outputs.bias.zero_()
            model.qa_outputs.weight[0, 0] = model.qa_outputs.weight[1, 1] = 2.0
            model.qa_outputs.weight[:, 2] = no_answer
        model.save_pretrained(folder)
        return ReferenceReader(str(folder), "cpu")

    return make


@pytest.fixture(scope="module")
def always(marked):
    return marked("tiny-squad")


@pytest.fixture(scope="module")
def sometimes(marked):
    return marked("tiny-squad2", no_answer=1.0)


def test_it_is_a_reader(reader, random_folder):
    assert isinstance(reader, Reader)
    assert reader.name == str(random_folder)
    assert reader.read([], []) == []


def test_the_span_is_the_best_in_order_pair(random_folder, reader):
    """Against the plain way: one pair at a time, every span tried."""
    import torch
    import transformers

    model = transformers.AutoModelForQuestionAnswering.from_pretrained(random_folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(random_folder)
    passages = ["Hello, my dog is called Mittens!", "No.", "It is a cat and a dog and the cat is not the dog"]
    for passage, span in zip(passages, reader.read([QUESTION] * 3, passages), strict=True):
        inputs = tokenizer(QUESTION, passage, return_tensors="pt", return_offsets_mapping=True)
        offsets = inputs.pop("offset_mapping")[0].tolist()
        with torch.no_grad():
            output = model(**inputs)
        places = [i for i, text in enumerate(inputs.sequence_ids()) if text == 1]
        start, end = (logits[0, places].softmax(0).tolist() for logits in (output.start_logits, output.end_logits))
        tried = [(start[i] * end[j], i, j) for i in range(len(places)) for j in range(i, len(places))]
        probability, first, last = max(tried)
        assert span.probability == pytest.approx(probability, abs=1e-5)
        assert span.start <= offsets[places[first]][0] < offsets[places[last]][1] <= span.end
        assert span.text == passage[span.start : span.end]


def test_names_are_found_whatever_their_case_and_whole(always):
    spans = always.read([QUESTION] * 3, ["It is called MITTENS.", "It is called mittens.", "Mittens"])
    assert [span.text for span in spans] == ["MITTENS", "mittens", "Mittens"]


def test_words_are_taken_whole(reader):
    passages = ["mittens" + " mittens" * more for more in range(8)]
    for span in reader.read([QUESTION] * 8, passages):
        assert set(span.text.split()) == {"mittens"}


def test_order_is_kept_and_each_pair_is_read_once(always, monkeypatch):
    seen = []
    model = always._model.model
    forward = model.forward
    monkeypatch.setattr(model, "forward", lambda **inputs: seen.append(len(inputs["input_ids"])) or forward(**inputs))
    passages = ["It is called begin end and not the dog.", "begin", "It is called begin end and not the dog.", "end"]
    spans = always.read([QUESTION] * 4, passages)
    assert [span.text for span in spans] == ["begin end", "begin", "begin end", "end"]
    assert sum(seen) == 3


def test_a_result_does_not_depend_on_its_neighbours(reader):
    passages = ["No", "Hello, how are you?", "It is called Mittens, and the dog is not called Mittens. " * 4]
    together = reader.read([QUESTION] * 3, passages)
    alone = [reader.read([QUESTION], [passage])[0] for passage in passages]
    assert [span.text for span in together] == [span.text for span in alone]
    assert [span.probability for span in together] == pytest.approx([span.probability for span in alone], abs=1e-5)


@pytest.mark.parametrize("before", [0, 30, 200, 1000])
def test_an_answer_is_found_however_far_into_a_passage(always, sometimes, before):
    passage = "filler " * before + "begin my end" + " filler" * 100
    for reader in (always, sometimes):
        (span,) = reader.read([QUESTION], [passage])
        assert (span.text, span.start) == ("begin my end", 7 * before)


def test_an_answer_is_not_longer_than_allowed_nor_backwards(bert, marked, tmp_path):
    import transformers

    folder = tmp_path / "long"
    bert(folder, "BertForQuestionAnswering", num_hidden_layers=0, max_position_embeddings=256)
    source = marked("tiny-squad")._model.model.state_dict()
    model = transformers.BertForQuestionAnswering.from_pretrained(folder)
    kept = {key: value for key, value in source.items() if "position" not in key}
    kept["bert.embeddings.position_embeddings.weight"] = 0 * model.bert.embeddings.position_embeddings.weight
    model.load_state_dict(kept, strict=False)
    model.save_pretrained(folder)
    reader = ReferenceReader(str(folder), "cpu")
    fits, too_long = (f"begin {'filler ' * count}end" for count in (MAX_ANSWER_TOKENS - 2, MAX_ANSWER_TOKENS - 1))
    spans = reader.read([QUESTION] * 3, [fits, too_long, "end filler begin"])
    assert spans[0].text == fits
    assert len(spans[1].text.split()) <= MAX_ANSWER_TOKENS
    assert spans[2].text in {"end", "begin", "filler begin", "end filler"}


def test_a_long_question_leaves_room_for_the_passage(always):
    (span,) = always.read(["what is my cat called " * 300], ["it is begin my end ."])
    assert span.text == "begin my end"


@pytest.mark.parametrize("passage", ["", "   ", "\n\t", "\u200b", "\x00"])
def test_nothing_is_read_out_of_nothing(always, sometimes, passage):
    for reader in (always, sometimes):
        spans = reader.read([QUESTION, QUESTION], [passage, "begin end"])
        assert (spans[0].text, spans[0].start, spans[0].end, spans[0].probability) == ("", 0, 0, 0.0)
        assert spans[1].text == "begin end"


def test_an_empty_question_is_read(always):
    assert always.read([""], ["begin end"])[0].text == "begin end"


@pytest.mark.parametrize("before", ["日本 ", "🐈‍⬛ ", "É́ ", "İ ", "ﬃ "])
def test_places_are_counted_in_the_passages_own_characters(always, before):
    (span,) = always.read([QUESTION], [f"{before}begin é end"])
    assert (span.text, span.start) == ("begin é end", len(before))


def test_without_no_answer_there_is_always_a_span(always):
    (span,) = always.read([QUESTION], ["hello"])
    assert (span.text, span.probability) == ("hello", pytest.approx(1.0))
    (span,) = always.read([QUESTION], ["hello hello hello hello"])
    assert span.probability == pytest.approx(1 / 16, rel=1e-3)


def test_with_no_answer_the_lead_decides(sometimes):
    answered, not_answered = sometimes.read([QUESTION] * 2, ["It is begin end.", "Hello, how are you?"])
    assert answered.text == "begin end"
    assert answered.probability > 0.9
    assert (not_answered.text, not_answered.start, not_answered.end) == ("", 0, 0)
    assert not_answered.probability < 0.1
    assert math.isfinite(not_answered.probability)


@pytest.mark.parametrize(
    ("name", "card", "knows"),
    [
        ("roberta-base-squad2", "", True),
        ("bert-medium-finetuned-squadv2", "", True),
        ("albert-v2-squad", "", False),
        ("bert-large-squad-256", "", False),
        ("distilbert-distilled-squad", "", False),
        ("mine", "---\ndatasets:\n- squad_v2\n---\nA reader.", True),
        ("mine", "---\ndatasets:\n- squad\n---\nNot squad_v2.", False),
        ("mine", "Not trained on squad_v2.", False),
    ],
)
def test_name_or_card_says_whether_no_answer_was_learnt(bert, tmp_path, name, card, knows):
    folder = bert(tmp_path / name, "BertForQuestionAnswering", num_hidden_layers=0)
    if card:
        (folder / "README.md").write_text(card, "utf-8")
    assert ReferenceReader(str(folder), "cpu").knows_no_answer is knows


def test_another_architecture_reads_too(roberta_base, tmp_path):
    import transformers

    folder = roberta_base(tmp_path / "roberta")
    config = transformers.AutoConfig.from_pretrained(folder)
    transformers.RobertaForQuestionAnswering(config).save_pretrained(folder)
    reader = ReferenceReader(str(folder), "cpu")
    passages = ["It is called Mittens. " * 40, "ok", "日本"]
    for passage, span in zip(passages, reader.read([QUESTION] * 3, passages), strict=True):
        assert span.text
        assert span.text == passage[span.start : span.end]


def test_lengths_must_agree(reader):
    with pytest.raises(ValueError, match="zip"):
        reader.read([QUESTION], [])


def test_damaged_files_are_one_clear_error(bert, tmp_path, damage, explains):
    folder = damage(bert(tmp_path / "qa", "BertForQuestionAnswering"))
    with pytest.raises(ModelError) as caught:
        ReferenceReader(str(folder), "cpu")
    explains(caught.value, "reader", folder)


@pytest.mark.parametrize("cls", ["BertModel", "BertForNextSentencePrediction"])
def test_a_model_without_the_head_is_refused_before_it_is_loaded(bert, tmp_path, cls, explains):
    folder = bert(tmp_path / "other", cls)
    assert "ForQuestionAnswering" in check(str(folder))
    with pytest.raises(ModelError) as caught:
        ReferenceReader(str(folder), "cpu")
    explains(caught.value, "reader", folder)


def test_a_head_that_is_not_in_the_checkpoint_is_not_made_up(bert, tmp_path):
    folder = bert(tmp_path / "other", "BertModel")
    config = folder / "config.json"
    config.write_text(config.read_text("utf-8").replace("BertModel", "BertForQuestionAnswering"), "utf-8")
    assert check(str(folder)) == ""
    with pytest.raises(ModelError, match="qa_outputs"):
        ReferenceReader(str(folder), "cpu")


def test_a_tokenizer_that_knows_no_places_is_refused(bert, tmp_path, explains):
    folder = bert(tmp_path / "other", "BertForQuestionAnswering")
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "ByT5Tokenizer"}')
    with pytest.raises(ModelError, match="does not report the positions of tokens") as caught:
        ReferenceReader(str(folder), "cpu")
    explains(caught.value, "reader", folder)


@pytest.mark.parametrize("name", [DEFAULT, "somebody/some-reader", "./no/such/folder", "/no/such/folder"])
def test_no_hub_and_no_folder_is_one_clear_error_at_once(name, explains):
    started = time.process_time()
    assert check(name)
    with pytest.raises(ModelError) as caught:
        ReferenceReader(name)
    explains(caught.value, "reader", name)
    assert time.process_time() - started < 5


def test_a_good_folder_passes_the_check(random_folder):
    assert check(str(random_folder)) == ""
