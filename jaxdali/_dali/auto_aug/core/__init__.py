"""The building blocks of automatic augmentation."""
