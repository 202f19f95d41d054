"""Icelandic for the sentences about AI texts, glossaries and translations."""

SENTENCES = {
    "The translation model {model} cannot translate {first} into {second}. From {first} it translates into {works}.": "Þýðingarlíkanið {model} getur ekki þýtt af málinu {first} á málið {second}. Af málinu {first} þýðir það á: {works}.",
    "The translation model {model} cannot translate {first} into {second}. It cannot translate {first} into any language.": "Þýðingarlíkanið {model} getur ekki þýtt af málinu {first} á málið {second}. Það getur ekki þýtt af málinu {first} á neitt mál.",
}
