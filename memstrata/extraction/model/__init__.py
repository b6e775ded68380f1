"""The extractor that asks a language model: one call an episode, its reply read item by item.

`schema` and `questions` make what is asked, `splitting` and `sharing` decide what goes into one call,
`asking` makes the calls, `salvage`, `items` and `reply` read what comes back, `taking` leads one question
to its end (the rest, repair, second pass), `placing` finds where names and quotes stand, `joining` makes
the candidates of an episode from its pieces.
"""

from memstrata.extraction.model.asking import Books
from memstrata.extraction.model.extractor import ModelExtractor
from memstrata.extraction.model.parts import Manner

__all__ = ["Books", "Manner", "ModelExtractor"]
