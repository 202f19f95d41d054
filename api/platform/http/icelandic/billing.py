"""Icelandic for the sentences about plans, payments and minutes."""

SENTENCES = {
    "There is no plan that pays for this. Files need a plan with room for them: choose one, or ask the person who pays for your team.": "Engin áskriftarleið greiðir fyrir þetta. Skrár þurfa leið með plássi fyrir þær: veldu leið eða biddu þann sem greiðir fyrir teymið þitt.",
    "There is no plan that pays for this. Choose a plan to go on.": "Engin áskriftarleið greiðir fyrir þetta. Veldu leið til að halda áfram.",
    "There is no plan that pays for this. Ask the person who pays for your team to choose one.": "Engin áskriftarleið greiðir fyrir þetta. Biddu þann sem greiðir fyrir teymið þitt að velja leið.",
    "This needs {needed}, and {left} of {whose} {included} are left. {advice}": "Þetta þarf {needed} en aðeins {left} af {included} eru eftir. {advice}",
    "There is not enough room: {taken} of {limit} are taken{more}. Delete files for good, empty the bin or choose a larger plan.": "Ekki er nóg pláss: {taken} af {limit} eru í notkun{more}. Eyddu skrám endanlega, tæmdu ruslið eða veldu stærri leið.",
}
