"""From slots to arrays: the path that pipelines and Loaders share.

`host_stage` and `prefetch` do not use jax. `device_stage`, and what it uses of `device_io` and `decode_ahead`, are only
imported if a pipeline has work for a device.
"""
