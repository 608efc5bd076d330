"""Transformers models, as tiny real checkpoints: chat-tuned, plain causal, and Blenderbot's architecture."""

import pytest
import torch

from chattest.chatter.loader import find_chatter
from chattest.errors import ChatterError
from tests.support.tiny_models import LEARNT, blenderbot, causal

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {
        "chat": causal(folder / "chat"),
        "plain": causal(folder / "plain", template=None),
        "seq2seq": blenderbot(folder / "seq2seq"),
    }


PLAYED_BY = [
    ("huggingface", "chat"),
    ("huggingface", "plain"),
    ("huggingface", "seq2seq"),
    ("blenderbot_400M", "seq2seq"),
    ("blenderbot", "seq2seq"),
    ("blenderbot_1B", "seq2seq"),
]


@pytest.mark.parametrize(("name", "kind"), PLAYED_BY)
def test_it_says_what_the_model_learnt(make, checkpoints, name, kind):
    bot = make(name, model=str(checkpoints[kind]))
    assert [bot.get_response([text]) for text in LEARNT] == list(LEARNT.values())
    assert bot.get_response([]) == LEARNT["Hello"]


@pytest.mark.parametrize(("name", "kind"), PLAYED_BY[:3])
def test_batches_say_what_single_replies_say(make, checkpoints, name, kind):
    bot = make(name, model=str(checkpoints[kind]), batch_size=3)
    conversations = [[text] for text in LEARNT] + [[], ["Hello", LEARNT["Hello"], "What do you eat?"], ["x " * 50]]
    assert type(bot).batches()
    assert type(bot).get_responses(bot.shared, conversations) == [bot.get_response(said) for said in conversations]


@pytest.mark.parametrize(("name", "kind"), PLAYED_BY[:3])
def test_of_a_long_conversation_the_end_is_heard(make, checkpoints, name, kind):
    bot = make(name, model=str(checkpoints[kind]), system="You are a cat.")
    assert isinstance(bot.get_response(["word " * 1000]), str)
    long = [*["a long way to go " * 9, "and back"] * 20, "Where is the cat?"]
    generator = bot.shared[0]
    with_template = generator.tokenizer.chat_template is not None
    room = generator.max_tokens - (0 if generator.seq2seq else 60)
    ids = generator._tokenize(long, "You are a cat.", "Hello", "\n", room)
    heard = generator.tokenizer.decode(ids)
    assert len(ids) <= room
    assert "Where is the cat?" in heard
    assert ("You are a cat." in heard) == with_template


def test_sampling_repeats_for_a_seed_and_leaves_torch_s_chance_alone(make, checkpoints):
    options = {"model": str(checkpoints["chat"]), "sample": True, "temperature": 8.0}
    bots = [make("huggingface", seed=seed, **options) for seed in ("1", "1", "2")]
    torch.manual_seed(3)
    before = torch.random.get_rng_state()
    one, again, other = ([bot.get_response([text]) for text in LEARNT] for bot in bots)
    assert torch.equal(torch.random.get_rng_state(), before)
    assert one == again
    assert one != other


def test_the_persona_can_be_played_by_it(make, checkpoints):
    persona = make("persona", goal="eat", played_by="huggingface", options={"model": str(checkpoints["chat"])})
    assert persona.shared[1].system.endswith("after your last words.")
    assert isinstance(persona.get_response(["What do you eat?"]), str)


def test_the_presets_name_their_checkpoints():
    from tests.support.paths import CHATTERS

    for name, model in [("blenderbot", "400M"), ("blenderbot_400M", "400M"), ("blenderbot_1B", "1B")]:
        options = find_chatter(name, CHATTERS).Options()
        assert options.model_dump()["model"] == f"facebook/blenderbot-{model}-distill"


def test_a_model_that_is_not_there(make, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(
        ChatterError, match=r'model "no/such" cannot be loaded: it is not in the hub|the hub cannot be reached'
    ):
        make("huggingface", model="no/such")
    with pytest.raises(ChatterError, match="the folder lacks config"):
        make("huggingface", model=str(tmp_path))
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(ChatterError, match="cannot be loaded: "):
        make("huggingface", model=str(tmp_path))


def test_a_checkpoint_that_does_not_fit_its_settings_is_one_clear_error(make, tmp_path):
    folder = causal(tmp_path / "model")
    (folder / "tokenizer.json").write_text('{"version": "1.0"}')
    with pytest.raises(ChatterError, match=f'the model "{folder}" cannot be loaded: '):
        make("huggingface", model=str(folder))


def test_a_tokenizer_without_padding_borrows_its_end_mark(make, tmp_path):
    import json

    folder = causal(tmp_path / "model", template=None)
    path = folder / "tokenizer_config.json"
    told = json.loads(path.read_text())
    del told["pad_token"]
    path.write_text(json.dumps(told))
    bot = make("huggingface", model=str(folder), batch_size=3)
    assert bot.shared[0].tokenizer.pad_token == "</s>"
    assert type(bot).get_responses(bot.shared, [["Hello"], ["What do you eat?"]]) == [
        LEARNT["Hello"],
        LEARNT["What do you eat?"],
    ]
