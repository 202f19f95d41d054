"""Icelandic for the sentences about any request, search and tags."""

SENTENCES = {
    "The request's address and headers are too large. Delete this site's cookies or shorten the address.": "Slóð og hausar beiðninnar eru of stór. Eyddu vafrakökum þessa vefs eða styttu slóðina.",
    "Type at least 3 characters to search.": "Sláðu inn að minnsta kosti 3 stafi til að leita.",
    "This tag no longer exists. Somebody may have deleted it.": "Þetta merki er ekki lengur til. Einhver kann að hafa eytt því.",
    "You have {count} tags, and no more fit. Delete some first.": "Þú átt {count} merki og fleiri komast ekki að. Eyddu einhverjum fyrst.",
    "You already have a tag with this name.": "Þú átt þegar merki með þessu nafni.",
}
