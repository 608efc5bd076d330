"""How far judges agree beyond chance, beside published examples."""

import pytest

from chattest.statistics.agreement import compute_cohens_kappa, compute_krippendorffs_alpha


def items(*judges: str) -> list[dict[str, str]]:
    """judges: what each says of all items, a character each; `*` where it says nothing."""
    columns = zip(*judges, strict=True)
    return [{str(judge): said for judge, said in enumerate(column) if said != "*"} for column in columns]


@pytest.mark.slow  # imports nltk
@pytest.mark.parametrize(
    ("judges", "alpha"),
    [  # the examples A, B and C of K. Krippendorff, Computing Krippendorff's alpha-reliability (2011)
        (("0100000010", "1110010000"), 0.095),
        (("aabbdcccedda", "babbbccceddd"), 0.692),
        (("123321412***", "1233224125*3", "*3332342251*", "12332441251*"), 0.743),
        (("PFPF", "PFPF", "PFPF"), 1.0),
        (("PPPP", "PPPP"), None),
        (("PFPF", "****"), None),
        ((), None),
    ],
)
def test_alpha(judges: tuple[str, ...], alpha: float | None) -> None:
    found = compute_krippendorffs_alpha(items(*judges))
    assert found == (None if alpha is None else pytest.approx(alpha, abs=5e-4))


@pytest.mark.parametrize(
    ("counts", "kappa"),
    [
        ({"yy": 20, "yn": 5, "ny": 10, "nn": 15}, 0.4),  # agree on 0.7, of which chance gives 0.5
        ({"yy": 45, "yn": 15, "ny": 25, "nn": 15}, 0.1304),
        ({"yy": 5, "nn": 5}, 1.0),
        ({"yn": 5, "ny": 5}, -1.0),
        ({"yy": 5}, None),
        ({}, None),
    ],
)
def test_kappa(counts: dict[str, int], kappa: float | None) -> None:
    pairs = [(said[0], said[1]) for said, count in counts.items() for _ in range(count)]
    assert compute_cohens_kappa(pairs) == (None if kappa is None else pytest.approx(kappa, abs=5e-5))
