"""Verb forms for predicate names and sentences: `work` to `works` and `worked`. Rules and a table."""

from __future__ import annotations

import re

from memstrata.extraction.offline.words import word_set

_PAST = dict(
    pair.split(":")
    for pair in word_set(
        "be:was become:became begin:began bite:bit blow:blew break:broke bring:brought build:built"
        " burn:burned buy:bought catch:caught choose:chose come:came cost:cost cut:cut deal:dealt do:did"
        " draw:drew drink:drank drive:drove eat:ate fall:fell feed:fed feel:felt fight:fought find:found"
        " flee:fled"
        " fly:flew forget:forgot get:got give:gave go:went grow:grew hang:hung have:had hear:heard hide:hid"
        " hit:hit hold:held hurt:hurt keep:kept know:knew lay:laid lead:led leave:left lend:lent let:let"
        " lie:lay lose:lost make:made mean:meant meet:met overtake:overtook pay:paid put:put quit:quit"
        " read:read rebuild:rebuilt resell:resold ride:rode ring:rang rise:rose run:ran say:said see:saw"
        " sell:sold send:sent set:set shake:shook shoot:shot show:showed shut:shut sing:sang sink:sank"
        " sit:sat sleep:slept speak:spoke spend:spent split:split spread:spread stand:stood steal:stole"
        " stick:stuck strike:struck swear:swore swim:swam take:took teach:taught tear:tore tell:told"
        " think:thought throw:threw understand:understood undertake:undertook wake:woke wear:wore win:won"
        " withdraw:withdrew write:wrote wed:wed"
    )
)
_DOUBLED_WHEN_STRESSED = word_set(
    "refer prefer transfer admit commit submit occur defer confer regret equip"
)
_SHORT = re.compile(r"[^aeiou]*(?:[aeiou]|qui)[bdgklmnprt]")


def third_person(lemma: str) -> str:
    """`work` to `works`, `have` to `has`."""
    special = {"be": "is", "have": "has", "do": "does", "go": "goes"}.get(lemma)
    if special:
        return special
    if lemma.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{lemma}es"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return f"{lemma[:-1]}ies"
    return f"{lemma}s"


def past(lemma: str) -> str:
    """`work` to `worked`, `take` to `took`."""
    if lemma in _PAST:
        return _PAST[lemma]
    if lemma.endswith("e"):
        return f"{lemma}d"
    if lemma.endswith("y") and lemma[-2:-1] not in "aeiou":
        return f"{lemma[:-1]}ied"
    return f"{lemma}{lemma[-1]}ed" if doubles(lemma) else f"{lemma}ed"


def gerund(lemma: str) -> str:
    """`work` to `working`, `take` to `taking`, `die` to `dying`."""
    if lemma.endswith("ie"):
        return f"{lemma[:-2]}ying"
    if lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")) and lemma != "be":
        return f"{lemma[:-1]}ing"
    return f"{lemma}{lemma[-1]}ing" if doubles(lemma) else f"{lemma}ing"


def doubles(lemma: str) -> bool:
    """Whether the last consonant is written twice: `stop` to `stopped`."""
    return lemma in _DOUBLED_WHEN_STRESSED or _SHORT.fullmatch(lemma) is not None
