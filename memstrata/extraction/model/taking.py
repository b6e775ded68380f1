"""One question led to its end: the reply, the rest of it, one repair, one second pass.

What goes wrong with a call that several episodes share is asked of each alone; a text that is too much for
the model, or for its reply, is asked in halves down to a floor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Away, Damaged, Fault, MemstrataError, TooLong
from memstrata.extraction.model.items import ASSERTIONS, ENTITIES, as_reply, spread
from memstrata.extraction.model.mending import Repair
from memstrata.extraction.model.parts import Found, NoAnswer, Taken, Wrong
from memstrata.extraction.model.placing import Scene
from memstrata.extraction.model.reply import (
    Read,
    as_verdicts,
    read_reply,
    read_verdicts,
    without_unread_values,
)
from memstrata.extraction.model.splitting import halves, tokens_in
from memstrata.extraction.settled import REPAIR_IS_READ, REPLY_IS_WHOLE, SECOND_PASS_IS_READ
from memstrata.extraction.verification import holds_no_secret
from memstrata.ids import canonical_json
from memstrata.model import Outcome, Verdict
from memstrata.ports import Finish, Spending, Stage
from memstrata.secrecy import WITHHELD, excerpt, holds_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.model.asking import Asking
    from memstrata.extraction.model.items import AssertionItem, EntityItem
    from memstrata.extraction.model.parts import Manner, Part
    from memstrata.extraction.model.questions import Questions
    from memstrata.extraction.model.sharing import Unit
    from memstrata.model import Json
    from memstrata.ontology import Ontology
    from memstrata.ports import Prompt, Reply

    Judge = Callable[[Candidate, Part], Outcome | None]

#: The rules of verification whose objection a model can mend, asked once more.
MENDABLE: Final = frozenset({"quote_is_in_the_episode"})
#: The fewest tokens of a text that is still asked in halves.
FLOOR: Final = 64


class Stopped(Exception):
    """A question that has no answer; `halves` if less text might have one."""

    def __init__(self, reason: str, *, halves: bool = False) -> None:
        super().__init__(reason)
        self.halves = halves


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What questions are asked and judged with."""

    questions: Questions
    asking: Asking
    second: Asking
    judge: Judge
    ontology: Ontology
    manner: Manner


def take(unit: Unit, means: Means) -> tuple[Taken | NoAnswer, ...]:
    """What each part of the unit says. Raises `Away`, `Damaged`, and what is set up wrong."""
    question = _Question(unit, means)
    try:
        return question.taken()
    except (Away, Damaged):
        raise
    except (TooLong, Stopped, Fault) as error:
        share = question.spent.shared(len(unit))
        if len(unit) > 1:
            alone = [take((part,), means)[0] for part in unit]
            return tuple(replace(one, spent=one.spent + share) for one in alone)
        if isinstance(error, TooLong) or (isinstance(error, Stopped) and error.halves):
            one = _in_halves(unit[0], means, str(error))
        else:
            one = NoAnswer(reason=str(error))
        return (replace(one, spent=one.spent + share),)


def _in_halves(part: Part, means: Means, reason: str) -> Taken | NoAnswer:
    if tokens_in(part.text) <= FLOOR:
        return NoAnswer(reason=f"{reason}; the text cannot be split further", is_final=True)
    spans = halves(part.text, means.manner.overlap_tokens)
    pieces = [replace(part, start=part.start + start, end=part.start + end) for start, end in spans]
    return together([take((piece,), means)[0] for piece in pieces])


def together(answers: Sequence[Taken | NoAnswer]) -> Taken | NoAnswer:
    """What the pieces of one text say; no answer if one of them has none."""
    spent = sum((one.spent for one in answers), Spending())
    missing = [one for one in answers if isinstance(one, NoAnswer)]
    if missing:
        first = next((one for one in missing if one.is_final), missing[0])
        return replace(first, spent=spent)
    taken = [one for one in answers if isinstance(one, Taken)]
    return Taken(
        entities=tuple(entity for one in taken for entity in one.entities),
        assertions=tuple(found for one in taken for found in one.assertions),
        outcomes=tuple(outcome for one in taken for outcome in one.outcomes),
        spent=spent,
    )


class _Haul:
    """What was taken of one part so far."""

    def __init__(self, part: Part) -> None:
        self.entities: tuple[EntityItem, ...] = ()
        self.found: list[Found] = []
        self.outcomes: list[Outcome] = []
        self._part = part
        self._scene = Scene(part.source, ())

    def add(self, entities: Sequence[EntityItem]) -> None:
        self.entities += tuple(entities)
        self._scene = Scene(self._part.source, self.entities)

    def candidate(self, found: Found) -> Candidate:
        return self._scene.candidate(found)


class _Question:
    def __init__(self, unit: Unit, means: Means) -> None:
        self._unit = unit
        self._means = means
        self._hauls = [_Haul(part) for part in unit]
        self.spent = Spending()

    def taken(self) -> tuple[Taken, ...]:
        """Asks and reads until nothing is left to ask. Raises `Stopped`, and what the model raises."""
        read = self._read()
        wrongs = self._sorted(read)
        touched = self._touched(wrongs)
        if read.is_whole:
            self._keep(frozenset(range(len(self._unit))) - touched)
        if wrongs:
            failed = self._repaired(wrongs)
            if read.is_whole:
                self._keep(touched - failed)
        self._second_pass()
        share = self.spent.shared(len(self._unit))
        return tuple(
            Taken(
                entities=haul.entities,
                assertions=tuple(haul.found),
                outcomes=tuple(haul.outcomes),
                spent=share,
            )
            for haul in self._hauls
        )

    # --- the reply ---

    def _read(self) -> Read:
        """The reply, whole or with the rest that was asked for."""
        questions, unit = self._means.questions, self._unit
        prompt = questions.extract(unit)
        kept = self._means.asking.known(prompt) if len(unit) == 1 else None
        if kept is not None:
            read = self._understood(kept)
            if read.answers and read.is_whole:
                return read
        reply = self._answered(self._ask(prompt, Stage.EXTRACT))
        read = self._understood(reply.text)
        if not read.answers:
            if reply.finish is Finish.CUT_OFF and self._may_halve:
                raise Stopped(f"{self._model} cut off its reply before the first item", halves=True)
            again = self._ask(questions.again(unit, _problem(reply)), Stage.REPAIR)
            read = self._understood(self._answered(again).text)
            if not read.answers:
                raise Stopped(
                    f"{self._model} gave no reply of the kind asked for, twice: {_problem(again)}"
                )
        return self._with_rest(read)

    def _with_rest(self, read: Read) -> Read:
        for _ in range(self._means.manner.most_rests):
            if read.is_whole:
                return read
            prompt = self._means.questions.rest(self._unit, _had(read, len(self._unit)))
            reply = self._ask(prompt, Stage.REST)
            if reply.finish is Finish.REFUSED:
                break
            read = _joined(read, self._understood(reply.text))
        if read.is_whole:
            return read
        reason = (
            f"{self._model} cut off its reply, and the rest of it {self._means.manner.most_rests} times"
        )
        if len(self._unit) > 1 or self._may_halve:
            raise Stopped(reason, halves=True)
        self._hauls[0].outcomes.append(
            Outcome(item="reply", rule=REPLY_IS_WHOLE, verdict=Verdict.QUARANTINE, reason=reason)
        )
        return read

    # --- repair ---

    def _sorted(self, read: Read) -> list[Wrong]:
        """Puts what was read to its parts; gives what cannot stand as it is."""
        wrongs = [
            Wrong(part=one.part, place=one.place, item=one.item, rule=one.rule, reason=one.reason)
            for one in read.unread
        ]
        for number, part in enumerate(self._unit):
            haul = self._hauls[number]
            haul.add([entity for at, entity in read.entities if at == number])
            items = spread(haul.entities, [item for at, item in read.assertions if at == number])
            window = (part.start, part.end)
            for found in (Found(item=item, window=window) for item in items):
                outcome = self._objection(number, found)
                if outcome is None:
                    haul.found.append(found)
                else:
                    wrongs.append(_wrong(number, found, outcome))
        return wrongs

    def _objection(self, number: int, found: Found) -> Outcome | None:
        """What a model could mend about it; nothing about what it took from a turn before."""
        part = self._unit[number]
        outcome = self._judged(number, found)
        if outcome is None or outcome.rule not in MENDABLE:
            return None
        return None if part.source.is_of_before(found.item.evidence) else outcome

    def _judged(self, number: int, found: Found) -> Outcome | None:
        return self._means.judge(self._hauls[number].candidate(found), self._unit[number])

    def _repaired(self, wrongs: Sequence[Wrong]) -> frozenset[int]:
        """Asks once for all that is wrong; gives the parts that are not mended whole."""
        reply = self._ask(self._means.questions.repair(self._unit, wrongs), Stage.REPAIR)
        repair = Repair(reply, wrongs, parts=len(self._unit), ontology=self._means.ontology)
        failed: set[int] = set()
        for number, wrong in enumerate(wrongs):
            mended = repair.mended(number)
            if mended is None:
                failed |= self._touched([wrong])
                asked = wrong if repair.is_read else replace(wrong, rule=REPAIR_IS_READ)
                self._left(asked, repair.reason(number), is_withdrawn=repair.withdrew(number))
                continue
            at, entities, items = mended
            self._hauls[at].add(entities)
            part = self._unit[at]
            for found in (Found(item=item, window=(part.start, part.end)) for item in items):
                outcome = self._objection(at, found)
                if outcome is not None:
                    failed.add(at)
                self._hauls[at].found.append(_held(found, outcome) if outcome is not None else found)
        return frozenset(failed)

    def _left(self, wrong: Wrong, reason: str, *, is_withdrawn: bool) -> None:
        """Leaves what was not mended to a person, as an assertion if it can be put as one.

        What names no episode of the call may be of any: each is told of it, and none can have it. An entity
        stays without what cannot be read of its attributes: assertions name it, and its type counts.
        """
        at = _of_first(wrong)
        haul, part = self._hauls[at], self._unit[at]
        if wrong.place == ENTITIES and wrong.part is not None:
            entity = without_unread_values(wrong.item, self._means.ontology)
            haul.add([entity] if entity else [])
            items = spread([entity] if entity else [], ())
            haul.found += [Found(item=one, window=(part.start, part.end)) for one in items]
        verdict = Verdict.REJECT if is_withdrawn else Verdict.QUARANTINE
        is_ours = wrong.place == ASSERTIONS and wrong.part is not None
        item = Repair.as_assertion(wrong) if is_ours else None
        outcome = Outcome(
            item=_told(wrong, item),
            rule=wrong.rule,
            verdict=verdict,
            reason=reason,
        )
        if wrong.part is None:
            for other in self._hauls:
                other.outcomes.append(outcome)
        elif item is None or verdict is Verdict.REJECT:
            haul.outcomes.append(outcome)
        else:
            haul.found.append(Found(item=item, window=(part.start, part.end), settled=outcome))

    # --- the second pass ---

    def _second_pass(self) -> None:
        """Asks once about all that verification is unsure of; its answer decides."""
        doubted: list[tuple[int, int, Outcome]] = []
        for number, haul in enumerate(self._hauls):
            for at, found in enumerate(haul.found):
                outcome = None if found.settled is not None else self._judged(number, found)
                if outcome is not None and outcome.verdict is Verdict.SECOND_PASS:
                    doubted.append((number, at, outcome))
        if not doubted:
            return
        verdicts = self._second_verdicts(doubted)
        for count, (number, at, outcome) in enumerate(doubted, 1):
            verdict, reason = verdicts.get(count, ("", "it gave no verdict"))
            rule = outcome.rule if count in verdicts else SECOND_PASS_IS_READ
            found = self._hauls[number].found[at]
            told = ": ".join(part for part in (verdict.replace("_", " "), reason) if part)
            said = replace(
                outcome,
                rule=rule,
                verdict=Verdict.ACCEPT if verdict == "said" else Verdict.QUARANTINE,
                reason=f"{outcome.reason}; second pass: {told}",
            )
            self._hauls[number].found[at] = replace(found, settled=said)

    def _second_verdicts(self, doubted: Sequence[tuple[int, int, Outcome]]) -> dict[int, tuple[str, str]]:
        asked = [
            (self._unit[number], _shown(self._hauls[number].found[at].item), outcome.reason)
            for number, at, outcome in doubted
        ]
        second = self._means.second
        prompt = self._means.questions.second_pass(self._unit, asked)
        text = second.known(prompt)
        if text is not None:
            verdicts = dict(read_verdicts(text, len(doubted)))
            second.keep(prompt, as_verdicts(verdicts), Spending(), self._unit)  # of these episodes too
            return verdicts
        before = self.spent
        reply = self._ask(prompt, Stage.SECOND_PASS, second)
        verdicts = dict(read_verdicts(reply.text, len(doubted)))
        if len(verdicts) == len(doubted):
            second.keep(prompt, as_verdicts(verdicts), self.spent - before, self._unit)
        return verdicts

    # --- calls ---

    def _ask(self, prompt: Prompt, stage: Stage, asking: Asking | None = None) -> Reply:
        try:
            reply, spent = (asking or self._means.asking).ask(prompt, stage, self._unit)
        except MemstrataError as error:
            self.spent += Spending.in_vain(error)
            raise
        self.spent += spent
        return reply

    def _answered(self, reply: Reply) -> Reply:
        if reply.finish is Finish.REFUSED:
            raise Stopped(f"{self._model} refused: {excerpt(reply.text, 200) or 'it gave no reason'}")
        return reply

    def _understood(self, text: str) -> Read:
        return read_reply(text, len(self._unit), self._means.ontology)

    def _touched(self, wrongs: Sequence[Wrong]) -> frozenset[int]:
        """The parts that something is wrong with: all, if an item names none."""
        if any(wrong.part is None for wrong in wrongs):
            return frozenset(range(len(self._unit)))
        return frozenset(_of_first(wrong) for wrong in wrongs)

    def _keep(self, numbers: frozenset[int]) -> None:
        """Keeps what these parts were told, each as the reply to the part asked for alone."""
        share = self.spent.shared(len(self._unit))
        for number in sorted(numbers):
            part, haul = self._unit[number], self._hauls[number]
            if any(self._is_secret(number, found) for found in haul.found):
                continue
            told = as_reply(haul.entities, [found.item for found in haul.found])
            prompt = self._means.questions.extract((part,))
            self._means.asking.keep(prompt, told, share, (part,))

    def _is_secret(self, number: int, found: Found) -> bool:
        """Whether it is refused as one: some are only told by all that an assertion says together."""
        outcome = self._judged(number, found)
        return outcome is not None and outcome.rule == holds_no_secret.__name__

    @property
    def _model(self) -> str:
        return self._means.asking.model

    @property
    def _may_halve(self) -> bool:
        return len(self._unit) == 1 and tokens_in(self._unit[0].text) > FLOOR


def _of_first(wrong: Wrong) -> int:
    """Its part; what names none is told of with the first."""
    return wrong.part or 0


def _wrong(number: int, found: Found, outcome: Outcome) -> Wrong:
    return Wrong(
        part=number,
        place=ASSERTIONS,
        item=_shown(found.item),
        rule=outcome.rule,
        reason=outcome.reason,
        found=found,
    )


def _held(found: Found, outcome: Outcome) -> Found:
    return replace(found, settled=replace(outcome, verdict=Verdict.QUARANTINE))


def _shown(item: AssertionItem) -> dict[str, Json]:
    shown: dict[str, Json] = item.model_dump(mode="json", exclude_defaults=True)
    return shown


def _told(wrong: Wrong, item: AssertionItem | None) -> str:
    """What names it in an outcome."""
    if holds_secret(wrong.item):
        return WITHHELD
    return item.label if item is not None else canonical_json(wrong.item)[:200]


def _problem(reply: Reply) -> str:
    text = excerpt(reply.text, 80)
    if text and reply.finish is Finish.CUT_OFF:
        return f"it was cut off before its first item, after {reply.output_tokens} tokens"
    return f"it was {text!r}, no JSON object with entities and assertions" if text else "it was empty"


def _had(read: Read, parts: int) -> list[str]:
    """What was read already, a line each."""
    items = [(at, f"entity {one.name}") for at, one in read.entities]
    items += [(at, f"assertion {one.label}") for at, one in read.assertions]
    return [f"episode {at + 1}: {said}" if parts > 1 else said for at, said in items] or ["nothing"]


def _joined(one: Read, other: Read) -> Read:
    return Read(
        answers=True,
        is_whole=other.is_whole and other.answers,
        entities=tuple(dict.fromkeys((*one.entities, *other.entities))),
        assertions=tuple(dict.fromkeys((*one.assertions, *other.assertions))),
        unread=(*one.unread, *other.unread),
    )
