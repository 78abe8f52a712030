"""What `Pipeline.run` returns: lists of samples, DALI's `TensorListCPU` and `TensorListGPU`, and single ones."""
