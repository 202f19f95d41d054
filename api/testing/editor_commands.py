"""Generated lines and commands of the editor, with what the server makes of them."""

from __future__ import annotations

import random
import re
import uuid
from typing import Any

from api.content.captions.editing.changes import code_points
from pipelines.captions.edits import edit
from pipelines.captions.edits.bulk import AddedLine, BulkChange, LineChange, change_lines
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.json_form import line_to_json, place_from_json, place_to_json, styles_to_json
from pipelines.captions.quality.profile import Dash
from pipelines.captions.texts.text import clean_text, visible_length, word_units
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import NO_STYLES, CaptionLine, CaptionWord, Lane, LinePlace, Origin, WordStyle

COMMANDS = 40
WORDS = [
    *("the", "quick", "Brown", "fox,", "jumps.", "over", "and", "and", "Straße", "þæö", "e\u0301t", "—", "42", "so?"),
    *("<i>so</i>", "{\\an8}up", "{not}", "a<b>"),
    *("今日は", "いい天気", "👩‍👩‍👧", "😀", "สวัสดี", "مرحبا", "शुभ"),
    *(
        "「今日」",
        "ーは",
        "“天”",
        "ไปเที่ยว",
        "ខ្ញុំ",
        "မြန်မာ",
        "क्षत्रिय",
        "👍🏽",
        "🇮🇸🇳🇴",
        "か\u3099",
        "葛\U000e0100",
        "「「「「「「今",
    ),
]
STYLES = [NO_STYLES, *[frozenset({style}) for style in WordStyle], frozenset(WordStyle)]
PLACES = [None, None, LinePlace(8), LinePlace(5, 0.25, 0.5)]
SPACES = [
    *(" ", " ", " ", " ", "  ", "\u00a0", "\u3000", " \u202f "),
    *("\r\r\n", "\n", "\r\n", " \n ", "\t", "\u2028", "\n\n"),
]


def text(random: random.Random, words: int) -> str:
    parts = [random.choice(WORDS) + random.choice(SPACES) for _ in range(random.randint(0, words))]
    return random.choice(["", "", " "]) + "".join(parts).removesuffix(random.choice([" ", ""]))


def spoken(random: random.Random) -> list[CaptionLine]:
    lines: list[CaptionLine] = []
    now = random.randint(0, 2_000)
    last_end: dict[Lane, int] = {}
    for number in range(random.randint(1, 6)):
        place = random.choice(PLACES)
        lane = Lane.BOTTOM if place is None else place.lane
        if lines and random.random() < 0.4:
            # On screen together with what stands elsewhere.
            now = max(last_end.get(lane, 0), lines[-1].start_ms + random.choice([0, 1, 300]))
        shown = clean_text(text(random, 9)) or "word"
        words, at = [], now
        styles = random.choice([NO_STYLES, *STYLES])
        for unit in word_units(shown):
            ends = at + random.randint(1, 500)
            measured = random.random() < 0.85
            confidence = round(random.random(), 3) if measured else None
            other = "S3" if random.random() < 0.1 else None
            styles = random.choice(STYLES) if random.random() < 0.1 else styles
            words.append(CaptionWord(at, ends, unit, Origin.ASR, confidence, other, styles))
            at = ends + random.choice([0, 0, 50, 300])
        doubts = ("loop",) if random.random() < 0.3 else ()
        # Sometimes a person has moved a line off its sound.
        off = random.choice([0, 0, 0, 4_000])
        speaker = random.choice([None, "S1", "S1", "S2"])
        line = CaptionLine(f"line-{number}", now + off, at + off, shown, tuple(words), doubts, speaker, place=place)
        lines.append(line)
        last_end[line.lane] = line.end_ms
        now = at + off + random.choice([0, 100, 1_500])
    return lines


def edited_text(random: random.Random, old: str) -> str:
    """Mostly what a person does: change a few letters or words of the old text."""
    if random.random() < 0.2:
        return text(random, 12)
    start = random.randint(0, len(old))
    end = min(len(old), start + random.choice([0, 0, 1, 4, 9]))
    return old[:start] + random.choice(["", "x", " ", "\n", "New", " and ", "fox,", "😀", "天"]) + old[end:]


def units(shown: str, at: int) -> int:
    return len(shown[:at].encode("utf-16-le", "surrogatepass")) // 2


class Server:
    """The pure part of the server, with its history. Applies the editor's commands to all lines."""

    def __init__(self, lines: list[CaptionLine]) -> None:
        self.lines = lines
        self.done: list[EditResult] = []
        self.undone: list[EditResult] = []

    def apply(self, command: dict[str, Any]) -> str:
        try:
            result = self._result(command)
        except EditRefused:
            return "refused"
        self.lines = edit.apply(self.lines, result)
        return "done"

    def _result(self, command: dict[str, Any]) -> EditResult:
        if command["action"] in ("Undo", "Redo"):
            take, give = (self.done, self.undone) if command["action"] == "Undo" else (self.undone, self.done)
            if not take:
                raise EditRefused("Nothing.")
            give.append(take.pop())
            return give[-1].undone() if command["action"] == "Undo" else give[-1]
        made = self._made(command)
        if made.before or made.after:
            self.done.append(made)
            self.undone.clear()
        return made

    def _made(self, command: dict[str, Any]) -> EditResult:
        match command["action"]:
            case "Edit":
                return edit.edit_line(
                    self.lines,
                    command["line"],
                    text=command.get("content"),
                    start_ms=command.get("start"),
                    end_ms=command.get("end"),
                )
            case "Split":
                at = code_points(command["content"], command["at"])
                return edit.split_at(
                    self.lines,
                    command["line"],
                    at,
                    new_id=command["newLine"],
                    rules=DEFAULT_RULES,
                    text=command["content"],
                )
            case "Merge":
                mark = Dash(command["dash"]).mark if "dash" in command else None
                return edit.merge(self.lines, command["line"], command["with"], mark=mark)
            case "Delete":
                return edit.delete(self.lines, command["line"])
            case "Change":
                return change_lines(self.lines, bulk_of(command))
        return edit.add(
            self.lines,
            new_id=command["newLine"],
            start_ms=command["start"],
            end_ms=command["end"],
            text=command["content"],
            place=place_from_json(command.get("place")),
        )


def bulk_of(command: dict[str, Any]) -> BulkChange:
    changes = [
        LineChange(
            each["line"],
            each.get("content"),
            each.get("start"),
            each.get("end"),
            place_from_json(each.get("place")),
            "place" in each,
            [frozenset(map(WordStyle, styles)) for styles in each["styles"]] if "styles" in each else None,
            each.get("locked"),
            each.get("forced"),
        )
        for each in command["changes"]
    ]
    added = [
        AddedLine(*(each["new_line"], each["start"], each["end"], each["content"]), place_from_json(each.get("place")))
        for each in command["added"]
    ]
    return BulkChange(changes, added, command["removed"], command["with_words"])


def bulk_change(random: random.Random, lines: list[CaptionLine]) -> dict[str, Any]:
    """A change of several lines: moved together, respelled, words passed on to the next line, removed, added."""
    chosen = sorted(random.sample(lines, random.randint(1, len(lines))), key=lambda line: line.start_ms)
    changes: list[dict[str, Any]] = []
    removed: list[str] = []
    by, stretch = random.choice([0, 0, 40, -30, 2_500]), random.choice([1, 1, 1.25, 0.7])
    kind = random.choice(["times", "texts", "words", "look", "lock", "mixed"])
    for line in chosen:
        change: dict[str, Any] = {"line": random.choice([line.id] * 60 + ["gone"])}
        if kind in ("times", "mixed"):
            change |= {"start": int((line.start_ms + by) * stretch), "end": int((line.end_ms + by) * stretch)}
        if kind in ("texts", "mixed"):
            change["content"] = edited_text(random, line.text)
        if kind == "look":
            count = len(line.words) + random.choice([0] * 20 + [1])
            change["styles"] = [styles_to_json(random.choice([NO_STYLES, *STYLES])) for _ in range(count)]
        if kind == "lock":
            change["locked"] = random.choice([True, False])
        if line.locked and random.random() < 0.5:
            change["locked"] = False
        if random.random() < 0.1:
            change["forced"] = random.choice([True, False])
        if random.random() < 0.1:
            change["place"] = place_to_json(random.choice(PLACES))
        changes.append(change)
    added: list[dict[str, Any]] = []
    last = lines[-1]
    if kind == "words":
        # What the lines say stays the same, in other lines.
        units = [unit for line in chosen for word in line.words for unit in [word.text]]
        edges = sorted(random.randint(0, len(units)) for _ in chosen[1:])
        for change, start, stop in zip(changes, [0, *edges], [*edges, len(units)], strict=True):
            change["content"] = " ".join(units[start:stop])
    if random.random() < 0.2 and len(chosen) > 1:
        removed.append(chosen[-1].id)
        changes.pop()
    if random.random() < 0.2:
        start = random.choice([last.end_ms + 1_000, last.end_ms + 10_000, 0])
        added.append({"new_line": new_id(), "start": start, "end": start + 900, "content": text(random, 4)})
        added[-1] |= random.choice([{}, {"place": place_to_json(random.choice(PLACES))}])
    more = {"removed": removed, "with_words": random.random() < 0.5, "label": "Several changes"}
    return {"action": "Change", "changes": changes, "added": added, **more}


def command(random: random.Random, server: Server) -> dict[str, Any]:
    """A command on the current lines. Some are impossible."""
    lines = server.lines
    kinds = [
        "Edit",
        "Edit",
        "Edit",
        "Split",
        "Split",
        "Merge",
        "Delete",
        "Add",
        "Undo",
        "Undo",
        "Redo",
        "Change",
        "Change",
    ]
    action = random.choice(kinds)
    if action in ("Undo", "Redo"):
        return {"action": action}
    end = lines[-1].end_ms + 3_000 if lines else 5_000
    if action == "Add" or not lines:
        start = random.randint(0, end)
        content = text(random, 5)
        return (
            {"action": "Add", "newLine": new_id(), "start": start, "end": start + random.randint(-50, 4_000)}
            | {"content": content}
            | random.choice([{}, {}, {"place": place_to_json(PLACES[-1])}, {"place": place_to_json(PLACES[-2])}])
        )
    if action == "Change":
        return bulk_change(random, lines)
    line = random.choice(lines)
    named: dict[str, Any] = {"action": action, "line": random.choice([line.id] * 30 + ["gone"])}
    if action == "Split":
        shown = random.choice([line.text, line.text, edited_text(random, line.text)])
        dashes = [row.start() for row in re.finditer(r"(?<=\n)[-–—]|\n(?=[-–—])|(?<=[-–—]).", shown)]
        at = units(shown, random.choice([*dashes, random.randint(0, len(shown))]))
        return {**named, "content": shown, "at": at, "newLine": new_id()}
    if action == "Merge":
        place = lines.index(line) + random.choice([-1, 1, 1, 2])
        dash = {"dash": str(random.choice(list(Dash)))} if random.random() < 0.4 else {}
        return {**named, "with": lines[place % len(lines)].id, **dash}
    if action == "Edit":
        times = random.random()
        if times < 0.7:
            named["content"] = edited_text(random, line.text)
        if times > 0.6:
            named["start"] = line.start_ms + random.randint(-2_000, 2_000)
        if times > 0.75:
            named["end"] = line.end_ms + random.randint(-500, 3_000)
    return named


def new_id() -> str:
    return str(uuid.uuid4())


def generated(seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Lines, commands for the editor, and the server's results."""
    chance = random.Random(seed)
    server = Server(spoken(chance))
    case: dict[str, Any] = {"lines": [line_to_json(line) for line in server.lines], "commands": []}
    expected = []
    for _ in range(COMMANDS):
        made = command(chance, server)
        case["commands"].append(made)
        kind = server.apply(made)
        lines = [line_to_json(line) for line in server.lines]
        lengths = [visible_length(line.text) for line in server.lines]
        travels = {"undo": bool(server.done), "redo": bool(server.undone)}
        expected.append({"kind": kind, "lines": lines, "lengths": lengths, **travels})
    return case, expected
