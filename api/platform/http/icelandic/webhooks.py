"""Icelandic for the sentences about webhooks."""

SENTENCES = {
    "This is no web address. Write one such as https://example.com/webhooks.": "Þetta er ekki veffang. Skrifaðu til dæmis https://example.com/webhooks.",
    "Webhooks go to addresses with https:// only.": "Vefkrókar fara aðeins á veffang sem byrjar á https://.",
    "The address must not hold a user name or a password. Check the signature of the messages instead.": "Í veffanginu má hvorki vera notandanafn né lykilorð. Sannreyndu heldur undirskrift skeytanna.",
    "This address leads into a private network, and webhooks go to public addresses only.": "Þetta veffang vísar inn á einkanet og vefkrókar fara aðeins á opinber veffang.",
    "The host name could not be found.": "Nafn þjónsins fannst ekki.",
    "The secret of this webhook cannot be read on this server. Make a new secret.": "Ekki er hægt að lesa leyndarmál þessa vefkróks á þessum þjóni. Búðu til nýtt leyndarmál.",
    "This webhook does not exist any more. Somebody may have deleted it.": "Þessi vefkrókur er ekki lengur til. Einhver kann að hafa eytt honum.",
    "This delivery is not in the list any more.": "Þessi sending er ekki lengur á listanum.",
    "There are {count} webhooks, and no more fit. Delete one first.": "Til eru {count} vefkrókar og fleiri komast ekki að. Eyddu einum fyrst.",
    "This webhook is turned off. Turn it on first.": "Slökkt er á þessum vefkróki. Kveiktu á honum fyrst.",
    "This message is on its way already.": "Þetta skeyti er þegar á leiðinni.",
    "The server accepted no connection.": "Þjónninn tók ekki við tengingu.",
    "The server's certificate is not valid.": "Skilríki þjónsins eru ekki gild.",
    "The connection broke before the answer.": "Tengingin rofnaði áður en svar barst.",
    "The server answered {status}, a redirect, and webhooks follow none. Enter the address it leads to.": "Þjónninn svaraði {status}, sem er endurbeining, og vefkrókar fylgja þeim ekki. Sláðu inn veffangið sem hún vísar á.",
    "The server answered {status}.": "Þjónninn svaraði {status}.",
    "The server did not answer within {seconds} seconds.": "Þjónninn svaraði ekki innan {seconds} sekúndna.",
}
