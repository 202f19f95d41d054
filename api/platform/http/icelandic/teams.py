"""Icelandic for the sentences about teams and invitations."""

SENTENCES = {
    "You may only look at the files of this team, so you cannot move any into it.": "Þú mátt aðeins skoða skrár þessa teymis og getur því ekki flutt neinar í það.",
    "Only an owner of the team can move what colleagues added. Nothing was moved.": "Aðeins eigandi teymisins getur flutt það sem félagar bættu við. Ekkert var flutt.",
    "You are the only owner of {team}. Make somebody else an owner first.": "Þú ert eini eigandi {team}. Gerðu einhvern annan að eiganda fyrst.",
    "{name} is the only owner of {team}. Make somebody else an owner first.": "{name} er eini eigandi {team}. Gerðu einhvern annan að eiganda fyrst.",
}
