"""What every wing uses: types, batches, formats. It imports nothing of jaxdali's but `jaxdali.errors`."""
