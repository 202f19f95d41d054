"""Icelandic for the sentences about any request, search and tags."""

SENTENCES = {
    "Type at least 3 characters to search.": "Sláðu inn að minnsta kosti 3 stafi til að leita.",
    "This tag no longer exists. Somebody may have deleted it.": "Þetta merki er ekki lengur til. Einhver kann að hafa eytt því.",
    "You have {count} tags, and no more fit. Delete some first.": "Þú átt {count} merki og fleiri komast ekki að. Eyddu einhverjum fyrst.",
    "You already have a tag with this name.": "Þú átt þegar merki með þessu nafni.",
}
