"""Calibrations of a test's own, in place of those that ship."""

import json
from pathlib import Path
from typing import Any

import pytest


def calibrate(monkeypatch: pytest.MonkeyPatch, folder: Path, **kinds: Any) -> Path:
    """Puts a file of calibrations in place. kinds: kind of figures -> slope, or slope and biases."""
    path = folder / "calibration.json"
    path.write_text(json.dumps({kind: {"slope": f} if isinstance(f, float) else f for kind, f in kinds.items()}))
    monkeypatch.setattr("chattest.models.calibration.FILE", path)
    return path
