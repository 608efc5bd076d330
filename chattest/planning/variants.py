"""Conversation specs of reference runs: the clean counterpart, and controls in place of the bot."""

from dataclasses import replace

from chattest.records.conversation import Conversation, ReferenceRun
from chattest.records.plan import Step


def is_altered(spec: Conversation) -> bool:
    """Whether a conversation asks altered questions, so that a clean counterpart is useful."""
    return any(step.text != step.original for _, step in spec.plan.steps())


def clean_counterpart(spec: Conversation) -> Conversation:
    """The conversation with every question unaltered. spec: a conversation before its first turn."""
    probes = tuple(replace(probe, steps=tuple(map(_unaltered, probe.steps))) for probe in spec.plan.probes)
    return replace(spec, plan=replace(spec.plan, probes=probes), variant=ReferenceRun.CLEAN)


def _unaltered(step: Step) -> Step:
    return replace(step, text=step.original, perturbed=None, perturbation=None)


def control(spec: Conversation, name: ReferenceRun) -> Conversation:
    """The conversation with a control in place of the bot. spec: a conversation before its first turn."""
    return replace(spec, chatters=(spec.chatters[0], name.value), variant=name)
