"""What is computed on the host, between two programs of the device."""
