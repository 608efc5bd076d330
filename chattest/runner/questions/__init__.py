"""Run single questions: checks, saved tests, augmentation."""
