"""How long tests wait for what will certainly come. Only a test that fails waits so long."""

PATIENCE_S = 300.0
"""A machine with a load of 20 on two cores starts a process in 100 s."""
