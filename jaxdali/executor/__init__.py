"""From slots to arrays: the road that both front doors share.

`host_stage` and `prefetch` know no jax; `device_stage`, and what it uses of `device_io` and `decode_ahead`, are imported
where a pipeline has work for a device.
"""
