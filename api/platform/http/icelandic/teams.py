"""Icelandic for the sentences about teams and invitations."""

SENTENCES = {
    "You are the only owner of {team}. Make somebody else an owner first.": "Þú ert eini eigandi {team}. Gerðu einhvern annan að eiganda fyrst.",
    "{name} is the only owner of {team}. Make somebody else an owner first.": "{name} er eini eigandi {team}. Gerðu einhvern annan að eiganda fyrst.",
}
