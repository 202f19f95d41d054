"""What training and the finished graphs share, which need packages of their own: letters, and the network's shape."""

from __future__ import annotations

LETTERS = " 'abcdefghijklmnopqrstuvwxyz"
BLANK = 0
"""Its class; each letter's is one more than its place."""
WIDTH = 160
"""Channels of each layer."""
KERNEL = 5
DILATIONS = (1, 2, 4, 1, 2, 4, 1, 2)
"""Of the layers after the first, which halves the frames."""
