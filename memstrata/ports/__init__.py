"""What the core needs from outside, as small roles; each adapter keeps what its role promises.

`record` has the roles of the log, `checks` what checks found, `projection` the commit's side of the graph,
`reading` the readers' side, `queries` Cypher where a store has it, `models` language models, embedders and
time, `spending` what language models took, `questions` what they are to be asked; here they are put
together. No query strings of ours cross a port, and a handle means nothing outside its store.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memstrata.bitemporal import Moment
from memstrata.ports.checks import CheckLog, CheckResult, Severity
from memstrata.ports.models import (
    Clock,
    Embedder,
    Extractor,
    Finish,
    Foretelling,
    LanguageModel,
    Patient,
    Prompt,
    Reply,
    Reranker,
    Unextracted,
)
from memstrata.ports.projection import Changes, KnownName, NamePlacement, Neighbourhood, Projector
from memstrata.ports.promoting import (
    SWITCHES,
    Coverage,
    Days,
    KeptVersion,
    Promotable,
    Promotion,
    Rollback,
    switch_of,
)
from memstrata.ports.queries import (
    CypherReader,
    GraphSchema,
    Kind,
    Property,
    QueryProblem,
    RelationMeaning,
    Rows,
)
from memstrata.ports.questions import About, QuestionQueue, Waiting
from memstrata.ports.reading import (
    Beside,
    Candidates,
    Counts,
    Edge,
    Exporter,
    Filters,
    Finder,
    GraphReader,
    Handle,
    Hit,
    NamedVersion,
    Scope,
    SemanticMemory,
    Sought,
    Subject,
    TextIndex,
    VectorIndex,
    VectorModel,
    Vocabulary,
)
from memstrata.ports.record import (
    Backlog,
    CommitLog,
    Compaction,
    Compactor,
    DeadLetter,
    DeadLetters,
    Door,
    EpisodeLog,
    ExtractionLog,
    Leases,
    Pending,
    Queue,
)
from memstrata.ports.spending import (
    Budget,
    Call,
    CallLog,
    ListedBy,
    PriceList,
    Purpose,
    ReplyCache,
    Spending,
    Spent,
    Stage,
)

if TYPE_CHECKING:
    from memstrata.ports.reading import Vectors as Vectors

__all__ = [
    "SWITCHES",
    "About",
    "Backlog",
    "Beside",
    "Budget",
    "Call",
    "CallLog",
    "Candidates",
    "Changes",
    "CheckLog",
    "CheckResult",
    "Clock",
    "CommitLog",
    "Compaction",
    "Compactor",
    "Counts",
    "Coverage",
    "CypherReader",
    "Days",
    "DeadLetter",
    "DeadLetters",
    "Door",
    "Edge",
    "Embedder",
    "EpisodeLog",
    "Exporter",
    "ExtractionLog",
    "Extractor",
    "Filters",
    "Finder",
    "Finish",
    "Foretelling",
    "GraphReader",
    "GraphSchema",
    "GraphStore",
    "Handle",
    "Hit",
    "Installation",
    "KeptVersion",
    "Kind",
    "KnownName",
    "LanguageModel",
    "Leases",
    "ListedBy",
    "Moment",
    "NamePlacement",
    "NamedVersion",
    "Neighbourhood",
    "Patient",
    "Pending",
    "PriceList",
    "Projector",
    "Promotable",
    "Promotion",
    "Prompt",
    "Property",
    "Purpose",
    "QueryProblem",
    "QuestionQueue",
    "Queue",
    "RecordStore",
    "RelationMeaning",
    "Reply",
    "ReplyCache",
    "Reranker",
    "Rollback",
    "Rows",
    "Scope",
    "SemanticMemory",
    "Severity",
    "Sought",
    "Spending",
    "Spent",
    "Stage",
    "Subject",
    "TextIndex",
    "Unextracted",
    "VectorIndex",
    "VectorModel",
    "Vocabulary",
    "Waiting",
    "switch_of",
]


class GraphStore(
    Neighbourhood,
    Projector,
    TextIndex,
    VectorIndex,
    Finder,
    GraphReader,
    Exporter,
    SemanticMemory,
    CypherReader,
    Protocol,
):
    """All roles of the graph in one adapter."""

    def close(self) -> None:
        """Lets go of files and connections."""


class RecordStore(Door, Compactor, EpisodeLog, ExtractionLog, CommitLog, DeadLetters, CheckLog, Protocol):
    """All roles of the record in one adapter."""

    def close(self) -> None:
        """Lets go of files and connections."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """The adapters of one installation, as its settings chose them, handed to the workflow.

    `ontology` is the YAML text that the settings name; it takes effect for a group when a commit has
    taken it in as a decision. `embedder` is None where no embedding engine is installed, and `model` where
    no language model is chosen; then `extractor` needs none. `adjudicates`: passes put to the model
    what rules cannot settle; `questions` are those that wait for it.
    """

    record: RecordStore
    graph: GraphStore
    leases: Leases
    extractor: Extractor
    embedder: Embedder | None
    clock: Clock
    ontology: str = ""
    reranker: Reranker | None = None
    model: LanguageModel | None = None
    calls: CallLog | None = None
    replies: ReplyCache | None = None
    prices: PriceList | None = None
    budget: Budget | None = None
    adjudicates: bool = False
    questions: QuestionQueue | None = None

    def close(self) -> None:
        """Closes the graph, the record, the calls and the questions, each whatever the others do."""
        with ExitStack() as closing:
            if self.calls is not None:
                closing.callback(self.calls.close)
            if self.questions is not None:
                closing.callback(self.questions.close)
            closing.callback(self.record.close)
            closing.callback(self.graph.close)
