"""The few words that a document adds to the text, in the text's own language where we have them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Labels:
    decision: str
    owner: str
    due: str
    unsupported: str


ENGLISH = Labels("Decision", "Owner", "Due", "not found in the recording")

LABELS: dict[str, Labels] = {
    "en": ENGLISH,
    "is": Labels("Ákvörðun", "Ábyrgð", "Frestur", "finnst ekki í upptökunni"),
    "da": Labels("Beslutning", "Ansvarlig", "Frist", "findes ikke i optagelsen"),
    "de": Labels("Beschluss", "Zuständig", "Frist", "in der Aufnahme nicht gefunden"),
    "es": Labels("Decisión", "Responsable", "Plazo", "no consta en la grabación"),
    "fr": Labels("Décision", "Responsable", "Échéance", "introuvable dans l’enregistrement"),
    "nb": Labels("Beslutning", "Ansvarlig", "Frist", "finnes ikke i opptaket"),
    "sv": Labels("Beslut", "Ansvarig", "Frist", "finns inte i inspelningen"),
}


def labels_of(base_language: str) -> Labels:
    return LABELS.get(base_language, ENGLISH)
