"""Mark the lines that the model was least sure of, for review."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.messages.translate import LineFlag, TargetLine

SHARE = 0.05


def flag_unsure(lines: Sequence[TargetLine], others: Sequence[TargetLine] = ()) -> list[TargetLine]:
    """The lines, with `unsure` on those among the 5 % least probable of all. `others` are lines of the track that stay.

    A line as probable as the first one above the limit is not flagged, so never more than 5 % are.
    """
    known = sorted(line.log_probability for line in (*lines, *others) if line.log_probability is not None)
    limit = known[int(len(known) * SHARE)] if known else None
    flagged = []
    for line in lines:
        flags: tuple[LineFlag, ...] = tuple(flag for flag in line.flags if flag is not LineFlag.UNSURE)
        if limit is not None and line.log_probability is not None and line.log_probability < limit:
            flags = (*flags, LineFlag.UNSURE)
        flagged.append(line.model_copy(update={"flags": flags}))
    return flagged
