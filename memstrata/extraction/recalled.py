"""Which spans of an episode only repeat what the memory gave: nothing is told there.

They are named by whoever adds the episode (`metadata["recalled"]`), or known by the marks that the memory
puts on its lines (`memstrata.marks`), whole or in part, quoted, wrapped again or woven into a sentence:
what carries the citation of a fact is no further evidence for it. Where a program speaks, its word-for-word
repeats of such lines count as well; a person who says the same again says it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memstrata.errors import Misplaced
from memstrata.marks import FACT, FACTS, FURNITURE, HEADING, MARK, SUMMARIES, TURN, TURNS
from memstrata.model import Role

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memstrata.model import Episode, Json

Span = tuple[int, int]

_LINE: Final = re.compile(r"^[ \t>|]*(?P<bullet>(?:[-*+\u2022\u2013]|\d{1,3}[.)])[ \t]+)?", re.MULTILINE)
_TITLE: Final = re.compile(rf"^[ \t>|]*(?:```|~~~|(?:{FURNITURE.pattern}))[^\n]*$", re.MULTILINE)
_PARAGRAPH: Final = re.compile(r"\n[ \t>|]*(?=\n)")
_SHORT: Final = r"(?<!\b[A-Z])(?<!\b(?:Dr|Mr|Ms|St|No|vs))(?<!\b(?:Mrs|Inc|Ltd|e\.g|i\.e))(?<!\bProf)"
_SENTENCE_END: Final = re.compile(rf"(?:{_SHORT}\.|[!?\u2026])[\"'\u201d)*_]*(?=\s|\Z)")
#: Where a line of ours begins in what was made one paragraph: after a mark, a title, or as a turn does.
_INLINE: Final = re.compile(
    rf"(?:(?<=[\])])|(?<={FACTS})|(?<={SUMMARIES})|(?<={TURNS}))[\s>|]{{1,12}}[-*\u2022]\s"
    rf"|(?<=[\])])[\s>|]{{1,12}}(?={TURN.pattern})"
    rf"|(?<=\s)[-*\u2022]\s+(?={TURN.pattern})"
)
_PERIOD_END: Final = re.compile(r"\)\s{0,2}:\s")
#: How the last line begins, cut off anywhere: as a turn, or as a fact.
_CUT: Final = re.compile(r"\d{4}-\d\d-\d\d|[^\n]{1,300}?\s-[^\s<>]{1,100}->")
_WORDS: Final = re.compile(r"\w[\w'\u2019-]*")
#: Fewer words than these are said by anybody.
_LEAST_WORDS: Final = 3
_MOST_REPEATS: Final = 400
_MOST_LOOKED_AT: Final = 20_000_000  # characters, over all that may be repeated
_SEGMENT: Final = 4_000  # characters that a line of the memory has at most, generously


def recalled_spans(episode: Episode, shown: Sequence[Episode] = ()) -> tuple[Span, ...]:
    """The spans of the content that are recalled, in order, none touching another.

    `shown` are the turns before it: what was recalled there, and a program repeats here, is recalled.
    """
    content = episode.content
    marked = _marked(content)
    own = _joined((*_given(episode), *marked))
    speaker = episode.speaker
    if speaker is not None and speaker.role is Role.USER:
        return own
    known = [(turn.content, (*_given(turn), *_marked(turn.content))) for turn in shown]
    # Whoever named the spans of a text that nobody speaks named all that he meant.
    known.append((content, marked if speaker is None else own))
    said = [text for held, spans in known for text in _sentences(held, spans)]
    return _joined((*own, *_repeats(content, said))) if said else own


def spans_of(content: str, recalled: Iterable[Json]) -> tuple[Span, ...]:
    """What of the content is `recalled`: spans `[start, end]` in characters, or texts that were recalled.

    A text that does not stand there whole counts by its lines and sentences that do. Raises `Misplaced` for
    what is neither.
    """
    spans: list[Span] = []
    for number, one in enumerate(recalled):
        match one:
            case str():
                spans += _places(content, one) or _repeats(content, _parts(one))
            case [int(start), int(end)] if 0 <= start < end <= len(content):
                spans.append((start, end))
            case _:
                raise Misplaced(
                    f"{one!r} is no text and no span of the {len(content)} characters",
                    field=f"recalled.{number}",
                    mend="give [start, end] in characters, or the text that was recalled",
                )
    return _joined(spans)


def noting(content: str, recalled: Iterable[Json] | None) -> Mapping[str, Json]:
    """What the metadata of an episode says of what it recalls: nothing if it recalls nothing."""
    spans = spans_of(content, recalled or ())
    return {"recalled": [list(span) for span in spans]} if spans else {}


def _given(episode: Episode) -> Iterator[Span]:
    given = episode.metadata.get("recalled")
    for one in given if isinstance(given, list | tuple) else ():
        match one:
            case [int(start), int(end)] if 0 <= start < min(end, len(episode.content)):
                yield start, min(end, len(episode.content))


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


# --- by marks ---


@lru_cache(maxsize=512)
def _marked(content: str) -> tuple[Span, ...]:
    """The lines of the memory that stand in a text, by their marks; () for the most."""
    text = content.replace("\\n", " \n")  # as JSON writes the end of a line; places stay
    marks = list(MARK.finditer(text))
    if not marks and HEADING not in text and "->" not in text:
        return ()
    breaks = [found.end() for found in _PARAGRAPH.finditer(text)]
    titles = [found.end() for found in _TITLE.finditer(text)]
    spans: list[Span] = []
    at = 0
    for found in marks:
        lowest = max(at, _last(breaks, found.start()), found.start() - _SEGMENT)
        title = _last(titles, found.start())
        if title > lowest and not any(_opens(text, line) for line in _LINE.finditer(text, lowest, title)):
            lowest = title
        start = _start(text, lowest, found)
        if start is not None:
            spans.append((start, found.end()))
            at = found.end()
    spans += _unfinished(text, spans, breaks)
    if spans or HEADING in text:
        spans += [found.span() for found in FURNITURE.finditer(text)]
    return _joined(spans)


def _opens(text: str, line: re.Match[str]) -> bool:
    return TURN.match(text, line.end()) is not None


def _last(places: Sequence[int], before: int) -> int:
    """The last of the places up to there, else 0."""
    at = bisect_left(places, before + 1)
    return places[at - 1] if at else 0


def _start(text: str, lowest: int, mark: re.Match[str]) -> int | None:
    """Where the line that ends in the mark begins; None if the mark is anybody's and no line of ours."""
    bullet: int | None = None
    head = FACT.search(text, lowest, mark.start())
    for line in _LINE.finditer(text, lowest, mark.start()):
        after = line.end()
        if TURN.match(text, after, mark.start()):
            return line.start()
        if head is not None and after <= head.start() and "\n" not in text[after : head.start()].strip():
            return line.start()
        if line["bullet"]:
            bullet = line.start()
    inline = _INLINE.search(text, lowest, mark.start())
    if mark["other"] is not None:
        is_turn = inline is not None and TURN.match(text, inline.end()) is not None
        return inline.start() if inline is not None and is_turn else None
    if bullet is not None:
        return bullet
    if inline is not None:
        return inline.start()
    return _sentence_start(text, lowest, mark.start() if head is None else head.start())


def _sentence_start(text: str, lowest: int, end: int) -> int:
    """Where the sentence begins that goes on to `end`; a quotation that it closes is part of it."""
    ends = [
        found.end()
        for found in _SENTENCE_END.finditer(text, lowest, end)
        if text[found.end() : end].strip()
    ]
    start = ends[-1] if ends else lowest
    while ends and _is_within_a_quotation(text[lowest:start]):
        ends.pop()
        start = ends[-1] if ends else lowest
    return start


def _is_within_a_quotation(before: str) -> bool:
    return before.count('"') % 2 == 1 or before.count("\u201c") > before.count("\u201d")


def _unfinished(text: str, spans: Sequence[Span], breaks: Sequence[int]) -> Iterator[Span]:
    """Lines of the memory that lost their mark: facts anywhere, a turn at the very end of its list."""
    starts = [start for start, _ in spans]
    for head in FACT.finditer(text):
        at = bisect_right(starts, head.start()) - 1
        if at >= 0 and head.start() < spans[at][1]:
            continue
        following = bisect_right(breaks, head.end())
        stop = breaks[following] if following < len(breaks) else len(text)
        stop = min(stop, head.end() + _SEGMENT)
        told = _PERIOD_END.search(text, head.end(), stop)
        end = _SENTENCE_END.search(text, told.end(), stop) if told is not None else None
        item = next((one.start() for one in _LINE.finditer(text, head.end(), stop) if one["bullet"]), stop)
        yield text.rfind("\n", 0, head.start()) + 1, min(item, stop if end is None else end.end())
    lines = list(_LINE.finditer(text, _last(breaks, len(text.rstrip()))))
    last = next((line for line in reversed(lines) if line["bullet"]), None)
    if last is None or not _CUT.match(text, last.end()):
        return
    listed = lines[0].start()
    is_ours = any(start >= listed for start, _ in spans) or HEADING in text[listed : last.start()]
    if is_ours and not any(start <= last.start() < end for start, end in spans):
        yield last.start(), len(text)


# --- by what is repeated ---


def _sentences(content: str, spans: Iterable[Span]) -> Iterator[str]:
    for start, end in spans:
        yield from _parts(content[start:end])


def _parts(recalled: str) -> Iterator[str]:
    """What of a recalled text may be repeated by itself: its lines and sentences, without their marks."""
    for line in MARK.sub("\n", FURNITURE.sub("\n", recalled)).splitlines():
        bare = line[found.end() :] if (found := _LINE.match(line)) else line
        said = bare[found.end() :] if (found := TURN.match(bare)) else bare
        told = _PERIOD_END.split(said, maxsplit=1)[-1]
        yield from (told.strip(), told.partition(": ")[2].strip())
        yield from (one.strip() for one in _SENTENCE_END.split(told))


def _repeats(content: str, said: Iterable[str]) -> list[Span]:
    """Where the content repeats one of these, word for word."""
    wanted = dict.fromkeys(said)
    most = min(_MOST_REPEATS, _MOST_LOOKED_AT // (len(content) + 1))
    return [span for one in list(wanted)[:most] for span in _places(content, one)]


def _places(content: str, said: str) -> list[Span]:
    """Where those words stand, whatever is between them but other words."""
    words = _WORDS.findall(said)
    if len(words) < _LEAST_WORDS or words[0].casefold() not in content.casefold():
        return []
    pattern = r"\b" + r"[^\w]{1,12}".join(map(re.escape, words)) + r"\b"
    return [found.span() for found in re.finditer(pattern, content, re.IGNORECASE)]
