"""What automatic augmentation does to images, each in its own way."""
