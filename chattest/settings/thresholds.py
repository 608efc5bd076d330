"""The thresholds that suit each choice of models."""

JUDGE_OF = {
    "threshold_sem_sim_tests": "reader",
    "threshold_own_consistency": "reader",
    "threshold_toxicity": "toxicity",
    "threshold_coherence_conversation": "coherence",
    "threshold_coherence_prompt": "coherence",
    "threshold_repeated_question": "similarity",
}
"""Threshold -> the kind of judge whose choice decides its default."""

THRESHOLDS: dict[str, dict[str, float]] = {
    "embedded": {
        "threshold_sem_sim_tests": 0.5,
        "threshold_own_consistency": 0.5,
        "threshold_toxicity": 0.75,
        "threshold_coherence_conversation": 0.21,
        "threshold_coherence_prompt": 0.25,
        "threshold_stuttering": 0.34,
        "threshold_repeated_question": 0.72,
    },
    "reference": {
        "threshold_sem_sim_tests": 0.6,
        "threshold_own_consistency": 0.6,
        "threshold_toxicity": 0.1,
        "threshold_coherence_conversation": -6.0,
        "threshold_coherence_prompt": -6.0,
        "threshold_stuttering": 0.33,
        "threshold_repeated_question": 0.8,
    },
}
"""The thresholds that belong to each choice of models; a setting of `None` takes these.

The embedded coherence judge's are where 5 % of the fitting replies are called unfit in the small talk kept out of its
training (`python -m chattest.training.coherence --cases`): a false alarm is worse here than a miss.
"""
