"""Fifty place names that the tiny speller has never heard."""

TERMS: tuple[str, ...] = (
    *("akureyri", "borgarnes", "hofsos", "husavik", "isafjordur", "keflavik", "kopavogur", "olafsvik"),
    *("selfoss", "stokkseyri", "aberdeen", "ballymena", "carlisle", "dundalk", "edinburgh", "fermanagh"),
    *("galway", "hereford", "inverness", "kilkenny", "albuquerque", "baltimore", "cheyenne", "duluth"),
    *("escondido", "fargo", "galveston", "honolulu", "juneau", "kalamazoo", "bergamo", "cordoba"),
    *("dusseldorf", "florence", "gibraltar", "heidelberg", "ljubljana", "marseille", "nuremberg", "odense"),
    *("bangalore", "colombo", "dhaka", "jakarta", "karachi", "lahore", "manila", "osaka"),
    *("penang", "yokohama"),
)
