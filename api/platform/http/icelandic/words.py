"""Words of ours that stand in sentences."""

PHRASES = {
    "Choose a larger plan.": "Veldu stærri leið.",
    "Choose a larger plan, then start it again.": "Veldu stærri leið og ræstu þetta svo aftur.",
    "Choose a larger plan or wait until {day}, when new minutes come.": "Veldu stærri leið eða bíddu til {day}, þegar nýjar mínútur berast.",
    "Choose a larger plan or wait until {day}, when new minutes come, then start it again.": "Veldu stærri leið eða bíddu til {day}, þegar nýjar mínútur berast og ræstu þetta svo aftur.",
    "Choose a larger plan or raise your limit for extra minutes.": "Veldu stærri leið eða hækkaðu mörk þín fyrir aukamínútur.",
    "Choose a larger plan or raise your limit for extra minutes, then start it again.": "Veldu stærri leið eða hækkaðu mörk þín fyrir aukamínútur og ræstu þetta svo aftur.",
    "Choose a larger plan, raise your limit for extra minutes or wait until {day}, when new minutes come.": "Veldu stærri leið, hækkaðu mörk þín fyrir aukamínútur eða bíddu til {day}, þegar nýjar mínútur berast.",
    "Choose a larger plan, raise your limit for extra minutes or wait until {day}, when new minutes come, then start it again.": "Veldu stærri leið, hækkaðu mörk þín fyrir aukamínútur eða bíddu til {day}, þegar nýjar mínútur berast og ræstu þetta svo aftur.",
    "Choose a larger plan or allow extra minutes at {price} each.": "Veldu stærri leið eða leyfðu aukamínútur á {price} hverja.",
    "Choose a larger plan or allow extra minutes at {price} each, then start it again.": "Veldu stærri leið eða leyfðu aukamínútur á {price} hverja og ræstu þetta svo aftur.",
    "Choose a larger plan, allow extra minutes at {price} each or wait until {day}, when new minutes come.": "Veldu stærri leið, leyfðu aukamínútur á {price} hverja eða bíddu til {day}, þegar nýjar mínútur berast.",
    "Choose a larger plan, allow extra minutes at {price} each or wait until {day}, when new minutes come, then start it again.": "Veldu stærri leið, leyfðu aukamínútur á {price} hverja eða bíddu til {day}, þegar nýjar mínútur berast og ræstu þetta svo aftur.",
    "Ask the person who pays for your team for more minutes.": "Biddu þann sem greiðir fyrir teymið þitt um fleiri mínútur.",
    "Ask the person who pays for your team for more minutes, then start it again.": "Biddu þann sem greiðir fyrir teymið þitt um fleiri mínútur og ræstu þetta svo aftur.",
    "Ask the person who pays for your team for more minutes or wait until {day}, when new minutes come.": "Biddu þann sem greiðir fyrir teymið þitt um fleiri mínútur eða bíddu til {day}, þegar nýjar mínútur berast.",
    "Ask the person who pays for your team for more minutes or wait until {day}, when new minutes come, then start it again.": "Biddu þann sem greiðir fyrir teymið þitt um fleiri mínútur eða bíddu til {day}, þegar nýjar mínútur berast og ræstu þetta svo aftur.",
    "{date} January {year}": "{date}. janúar {year}",
    "{date} February {year}": "{date}. febrúar {year}",
    "{date} March {year}": "{date}. mars {year}",
    "{date} April {year}": "{date}. apríl {year}",
    "{date} May {year}": "{date}. maí {year}",
    "{date} June {year}": "{date}. júní {year}",
    "{date} July {year}": "{date}. júlí {year}",
    "{date} August {year}": "{date}. ágúst {year}",
    "{date} September {year}": "{date}. september {year}",
    "{date} October {year}": "{date}. október {year}",
    "{date} November {year}": "{date}. nóvember {year}",
    "{date} December {year}": "{date}. desember {year}",
    "You are": "Þú ert",
    "{name} is": "{name} er",
    "detect the language": "greint tungumálið",
    "transcribe {language}": "skrifað upp málið {language}",
    ", and this needs {more}": " og þetta þarf {more}",
    "{count} people": "{count} manns",
    "1 person": "einn",
    "one person": "einn",
}
"""Parts of longer sentences; what they hold may be a phrase again."""

NAMES = {
    "the models folder of this installation": "líkanamöppu þessarar uppsetningar",
    "The models folder of this installation": "líkanamöppu þessarar uppsetningar",
}
"""How sentences name parts of an installation, in the case that follows the preposition of our sentences."""
