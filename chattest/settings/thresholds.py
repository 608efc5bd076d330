"""The default thresholds of each choice of models."""

JUDGE_OF = {
    "threshold_sem_sim_tests": "reader",
    "threshold_own_consistency": "reader",
    "threshold_toxicity": "toxicity",
    "threshold_coherence_conversation": "coherence",
    "threshold_coherence_prompt": "coherence",
    "threshold_repeated_question": "same_question",
    "threshold_free_contradiction": "inference",
}
"""Threshold -> the kind of judge that decides its default."""

FORMULA_OF = {"threshold_stuttering": "ML-A6", "threshold_repeated_question": "ML-A7"}
"""Threshold -> the case with the formula that decides its default."""

THRESHOLDS: dict[str, dict[str, float]] = {
    "embedded": {
        "threshold_sem_sim_tests": 0.5,
        "threshold_own_consistency": 0.5,
        "threshold_toxicity": 0.8,
        "threshold_coherence_conversation": 0.34,
        "threshold_coherence_prompt": 0.29,
        "threshold_stuttering": 0.02,
        "threshold_repeated_question": 0.6,
        "threshold_free_contradiction": 0.6,
    },
    "reference": {
        "threshold_sem_sim_tests": 0.6,
        "threshold_own_consistency": 0.6,
        "threshold_toxicity": 0.1,
        "threshold_coherence_conversation": -6.0,
        "threshold_coherence_prompt": -6.0,
        "threshold_stuttering": 0.33,
        "threshold_repeated_question": 0.5,
        "threshold_free_contradiction": 0.6,
    },
}
"""The thresholds that belong to each choice of models; a setting of `None` takes these.

The embedded judges' scores are probabilities. The thresholds of coherence are the highest, in hundredths, at which the
oracle of small talk passes more than nine times of ten. That of toxicity flags two in a thousand harmless lines of
bots, as few lines of real talk are toxic. That of free contradictions is the lowest tenth at which three in four of
the alarms on one half of real bots are right. That of repeated questions calls one in a thousand unrelated pairs the
same, as a bot asks hundreds of pairs in a conversation. That of stuttering lets one word in fifty go.
"""
