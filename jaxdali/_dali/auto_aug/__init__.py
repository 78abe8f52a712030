"""Automatic augmentation: AutoAugment, RandAugment and TrivialAugment, with DALI's API."""
