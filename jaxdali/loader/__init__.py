"""`Loader`: the road for those who write their own device function."""
