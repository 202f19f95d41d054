"""Words of ours that stand in sentences."""

NAMES = {
    "the models folder of this installation": "líkanamöppu þessarar uppsetningar",
    "The models folder of this installation": "líkanamöppu þessarar uppsetningar",
}
"""How sentences name parts of an installation, in the case that follows the preposition of our sentences."""
