"""Random draws as pure functions of (seed, operator, epoch, global sample index)."""
