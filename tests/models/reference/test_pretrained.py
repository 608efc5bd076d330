"""A transformers model as the reference judges read it gives what transformers gives."""

import pytest
import torch
import transformers
from torch import nn

from chattest.models.linear import Linear, use
from chattest.models.reference.pretrained import Pretrained

TEXTS = ["my cat is called mitt", "what is my cat called?", "hello"]


@pytest.mark.parametrize("task", ["NextSentencePrediction", "SequenceClassification", "QuestionAnswering"])
def test_outputs_are_those_of_transformers(task: str, bert, tmp_path) -> None:
    folder = bert(tmp_path, f"BertFor{task}")
    model = Pretrained("coherence", str(folder), f"AutoModelFor{task}", "cpu", folder)
    plain = getattr(transformers, f"BertFor{task}").from_pretrained(folder).eval()

    def first_output(output, batch):
        return [row.clone() for row in output[0]]

    for text in TEXTS:
        (encoding,) = model.tokenize([text])
        (ours,) = model.run([encoding], first_output)
        with torch.no_grad():
            theirs = plain(input_ids=torch.tensor([encoding.ids]))[0][0]
        assert torch.allclose(ours, theirs, atol=1e-5)
        assert ours.abs().max() > 1e-3
    layers = [module for module in model.model.modules() if isinstance(module, nn.Linear)]
    assert len(layers) > 12
    assert all(type(layer) is Linear and layer.packed is None for layer in layers)


def test_layers_that_are_no_plain_linear_ones_stay() -> None:
    class Own(nn.Linear):
        pass

    model = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 3, bias=False), Own(3, 2), nn.ReLU())
    weight = model[0].weight
    use(model)
    assert [type(layer) for layer in model] == [Linear, nn.Linear, Own, nn.ReLU]
    assert model[0].weight is weight
