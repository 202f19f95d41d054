"""Headings of minutes in the languages most used here. Other languages get none: the page names decisions itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Headings:
    points: str
    decisions: str
    actions: str


_HEADINGS = {
    "en": Headings("Key points", "Decisions", "Action items"),
    "is": Headings("Helstu atriði", "Ákvarðanir", "Aðgerðir"),
    "da": Headings("Hovedpunkter", "Beslutninger", "Opgaver"),
    "no": Headings("Hovedpunkter", "Beslutninger", "Oppgaver"),
    "sv": Headings("Huvudpunkter", "Beslut", "Åtgärder"),
    "fi": Headings("Pääkohdat", "Päätökset", "Toimenpiteet"),
    "de": Headings("Kernpunkte", "Beschlüsse", "Aufgaben"),
    "nl": Headings("Hoofdpunten", "Besluiten", "Actiepunten"),
    "fr": Headings("Points clés", "Décisions", "Actions à mener"),
    "es": Headings("Puntos clave", "Decisiones", "Tareas"),
    "pt": Headings("Pontos principais", "Decisões", "Ações"),
    "it": Headings("Punti chiave", "Decisioni", "Attività"),
    "pl": Headings("Najważniejsze punkty", "Decyzje", "Zadania"),
}


def headings(language: str) -> Headings | None:
    """By base code; None where we know none."""
    return _HEADINGS.get(language)
