"""What training and the finished graphs share, which need packages of their own: the network's shape."""

from __future__ import annotations

STEP = 4
"""Frames of 10 ms for one of the network's: the runtime takes its frames for 40 ms."""
WINDOW = 16
"""Frames that it sees for each of its own: the sound of one, and 120 ms after it."""
CHUNK = 16
"""Frames that the runtime hands over at once."""
LEVEL, SPREAD = -6.0, 5.0
"""About the mean of log mels of speech, and their deviation."""
FRONT = 160
"""Channels after the window."""
HIDDEN = 224
LAYERS = 2
SEEN = CHUNK + WINDOW - STEP
"""Frames of a call: a chunk and what lies after its last frame."""
