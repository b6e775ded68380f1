"""How far negation, time and reference reach within and between sentences, one a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Told = Callable[[str], list[str]]

FACTS = [
    # negation
    (
        "Olga is afraid of geese but not of swans.",
        [
            "Olga is_afraid_of geese: holds ..",
            "Olga is_afraid_of swans: denied ..",
        ],
    ),
    (
        "We deliver to Norway but not to Iceland.",
        [
            "we delivers_to Norway: holds ..",
            "we delivers_to Iceland: denied ..",
        ],
    ),
    (
        "Ben lives not in Ghent but in Bruges.",
        ["Ben lives_in Ghent: denied ..", "Ben lives_in Bruges: holds .."],
    ),
    ("Sven eats eggs but no fish.", ["Sven eats eggs: holds ..", "Sven eats fish: denied .."]),
    ("Otto has yet to sign the lease.", ["Otto signed lease: denied .."]),
    ("It isn't true that Cai was fired.", ["Cai status fired: denied .."]),
    ("It's not Petter who handles returns.", []),
    ("Sven hasn't eaten meat since 2018.", ["Sven eats meat: ended ..2018"]),
    ("Kim: Do you still live in Hull?\nLea: No.", ["Lea lives_in Hull: ended .."]),
    ("Greta rarely eats meat.", []),
    # time
    (
        "We adopted a dog on Sunday, her name is Mocha.",
        [
            "we owns dog: started 2025-07-20..",
            "dog name Mocha: holds ..",
        ],
    ),
    (
        "The auditor who visited us in 2022 now works for Sable.",
        [
            "auditor visited we: started 2022..",
            "auditor works_at Sable: holds ..",
        ],
    ),
    ("Marc ran a vineyard until his divorce in 2017.", ["Marc runs vineyard: ended ..2017"]),
    ("As of 1 June, our office is in Hull.", ["our office is_in Hull: holds 2025-06-01.."]),
    ("Lanner has renewed its lease for another two years.", ["Lanner renewed lease: started .."]),
    ("Pia was diagnosed with asthma at the age of nine.", ["Pia diagnosed_with asthma: started .."]),
    # reference
    ("Ada and I share a car.", ["Ada shares car: holds ..", "I shares car: holds .."]),
    (
        "Tove, who edits a weekly, and her husband Ib own a boat.",
        [
            "Tove husband Ib: holds ..",
            "Tove owns boat: holds ..",
            "Tove edits weekly: holds ..",
            "Ib owns boat: holds ..",
        ],
    ),
    (
        "The flat belongs to a club whose chair is Odd Ek.",
        ["flat belongs_to club: holds ..", "club chair Odd Ek: holds .."],
    ),
    (
        "My cousin, the painter Ole Brandt, plays chess.",
        ["I cousin Ole Brandt: holds ..", "Ole Brandt plays chess: holds .."],
    ),
    ("Kim: Have you heard from Aoife?\nLea: She opened a studio.", ["Aoife opened studio: started .."]),
    (
        "The backup failed because the disk was full. Lea restarted it.",
        [
            "backup status failed: started ..",
            "disk is full: ended ..",
            "Lea restarted backup: started ..",
        ],
    ),
    (
        "The town where Edda was born has 300 inhabitants.",
        [
            "Edda born_in town: started ..",
            "town has 300 inhabitants: holds ..",
        ],
    ),
    # verbs that look like nouns, and the other way round
    ("Our studio films weddings.", ["Our studio films weddings: holds .."]),
    ("Norvik & Sons ships to 14 countries.", ["Norvik & Sons ships_to 14 countries: holds .."]),
    (
        "The vase is insured for 900 euros and kept in a vault.",
        [
            "vase insured_for 900 euros: holds ..",
            "vase kept_in vault: holds ..",
        ],
    ),
    ("Otto is training to be a paramedic.", ["Otto trains_to_be paramedic: holds .."]),
    ("Osman has been asked to draft the budget.", ["Osman asked_to_draft budget: holds .."]),
    ("I'd rather get letters.", ["I prefers_to_get letters: holds .."]),
    (
        "Norvik has moved from annual to monthly billing.",
        [
            "Norvik moved_to monthly billing: started ..",
            "Norvik moved_from annual billing: ended ..",
        ],
    ),
    ("The rent will rise to 990 euros.", ["rent will_rise_to 990 euros: holds .."]),
    ("Norvik launches flights from Cork to Bilbao.", ["Norvik launches flights: holds .."]),
    ("We were going to hire a guide.", []),
    ("I changed my surname to Berg.", ["I surname Berg: started .."]),
    (
        "Norvik raised 4 million euros from Polder Ventures.",
        [
            "Norvik raised 4 million euros: started ..",
            "Norvik raised_from Polder Ventures: started ..",
        ],
    ),
    ("Tamar and Guy have been engaged since New Year.", ["Tamar engaged_to Guy: holds 2025-01-01.."]),
    ("The team uses Basalt instead of Trello.", ["team uses Basalt: holds .."]),
    ("Rehearsals are on Tuesdays.", ["Rehearsals scheduled_for Tuesdays: holds .."]),
    ("Ada's favourite dish used to be ramen.", ["Ada favourite_dish ramen: ended .."]),
    ("Mel: Hey Tom, my sister lives in Leeds.", ["my sister lives_in Leeds: holds .."]),
    ("Lea hopes to sell the boat.", ["Lea hopes_to_sell boat: holds .."]),
    ("Nia rides a tricycle.", ["Nia rides tricycle: holds .."]),
    ("My boyfriend is gluten-free.", ["My boyfriend is gluten-free: holds .."]),
    ("The audit has been set for 9 September.", ["audit scheduled_for 9 September: holds 2025-09-09.."]),
    (
        "Gerda handed the bakery over to Sven in May.",
        ["Gerda runs bakery: ended ..2025-05", "Sven runs bakery: started 2025-05.."],
    ),
    ("The flat costs 900 euros.", ["flat costs 900 euros: holds .."]),
    ("People keep saying that Jasper was fired.", []),
    ("Norvik raised the rent.", ["Norvik raised rent: started .."]),
    ("Ada raises goats.", ["Ada raises goats: holds .."]),
    (
        "Lea: Met Dana's brother, he's a pilot",
        ["Lea met Dana's brother: started ..", "Dana's brother is_a pilot: holds .."],
    ),
    # forms
    ("Booking reference for Noemi Lang: QX7-44D", ["Noemi Lang booking_reference QX7-44D: holds .."]),
    (
        "Clerk: Nationality?\nLea: Irish, but I live in Malta.",
        [
            "Lea nationality Irish: holds ..",
            "Lea lives_in Malta: holds ..",
        ],
    ),
    ("Ida is 34 and owns a kiosk.", ["Ida is 34: holds ..", "Ida owns kiosk: holds .."]),
]


@pytest.mark.parametrize(("text", "facts"), FACTS)
def test_scope_and_reference_are_read_as_meant(told: Told, text: str, facts: list[str]) -> None:
    assert sorted(told(text)) == sorted(facts)
