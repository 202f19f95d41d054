"""Icelandic for the sentences about webhooks."""

SENTENCES = {
    "The secret of this webhook cannot be read on this server. Make a new secret.": "Ekki er hægt að lesa leyndarmál þessa vefkróks á þessum þjóni. Búðu til nýtt leyndarmál.",
    "The server accepted no connection.": "Þjónninn tók ekki við tengingu.",
    "The server's certificate is not valid.": "Skilríki þjónsins eru ekki gild.",
    "The connection broke before the answer.": "Tengingin rofnaði áður en svar barst.",
    "The server answered {status}, a redirect, and webhooks follow none. Enter the address it leads to.": "Þjónninn svaraði {status}, sem er endurbeining, og vefkrókar fylgja þeim ekki. Sláðu inn veffangið sem hún vísar á.",
    "The server answered {status}.": "Þjónninn svaraði {status}.",
    "The server did not answer within {seconds} seconds.": "Þjónninn svaraði ekki innan {seconds} sekúndna.",
}
