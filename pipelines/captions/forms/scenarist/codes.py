"""The letters and rows of CEA-608 line 21. Source: 47 CFR 15.119 and ANSI/CTA-608-E."""

from __future__ import annotations

COLUMNS = 32
SCREEN_ROWS = 15

BASIC = {0x27: "’", 0x2A: "á", 0x5C: "é", 0x5E: "í", 0x5F: "ó", 0x60: "ú"}
BASIC |= {0x7B: "ç", 0x7C: "÷", 0x7D: "Ñ", 0x7E: "ñ", 0x7F: "█"}
"""One byte each, where the code does not stand for its ASCII letter."""
SPECIAL = "®°½¿™¢£♪à\u00a0èâêîôû"
"""Two bytes: 0x11, and 0x30 plus the place in this text."""
EXTENDED = {0x12: "ÁÉÓÚÜü‘¡*'—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»", 0x13: "ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤│ÅåØø┌┐└┘"}
"""Two bytes, the key and 0x20 plus the place in its text. They replace the simpler letter that is sent before them."""
ROWS = {0x11: (1, 2), 0x12: (3, 4), 0x15: (5, 6), 0x16: (7, 8), 0x17: (9, 10), 0x10: (11, 11), 0x13: (12, 13)}
ROWS |= {0x14: (14, 15)}
"""The two rows that an address code may name by its first byte."""
