"""What a route is handed: the service, who asks, and the memory as far as that reaches."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import anyio.to_thread
from anyio import CapacityLimiter
from fastapi import Depends
from starlette.requests import Request
from starlette.responses import Response

from memstrata.errors import Forbidden, Incorrect, Misplaced
from memstrata.intake.door import check_group
from memstrata.memory.audit import Audit
from memstrata.memory.desk import Desk
from memstrata.model import DEFAULT_GROUP
from memstrata.ports import Installation
from memstrata.search.view import ANY
from memstrata.service.answers import MEDIA_TYPE, answered
from memstrata.service.cursors import place_in, shown
from memstrata.service.embedding import Vectors
from memstrata.service.idempotency import Answers, Asked, Kept, fingerprint_of
from memstrata.service.limits import Limits
from memstrata.service.metrics import Metrics
from memstrata.service.operations import Operations
from memstrata.service.problems import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.memory.browsing import Page
    from memstrata.model import Decision
    from memstrata.service.edge import PagedOfGroup

R = TypeVar("R")


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """One open memory and what a process needs to serve it."""

    installation: Installation
    home: Path
    limits: Limits
    metrics: Metrics
    answers: Answers
    operations: Operations
    audit: Audit | None
    vectors: Vectors
    writers: CapacityLimiter
    exports: CapacityLimiter


@dataclass(frozen=True, kw_only=True)
class Caller(Desk):
    """Who asks, and everything that may be asked and told on its behalf."""

    service: Service
    request: Request

    def group(self, given: str | None) -> str:
        """The one group that is meant: the one given, else `default`, else the only one the token names."""
        if given is not None:
            check_group(given)
            return given
        named = [group for group in self.grant.groups if not group.endswith(ANY)]
        is_clear = len(named) == 1 and not self.grant.reaches(DEFAULT_GROUP)
        return named[0] if is_clear else DEFAULT_GROUP

    def groups(self, given: tuple[str, ...] | None) -> tuple[str, ...]:
        """The groups that are meant: those given, else `default` where it is reached, else all reached."""
        if given:
            for group in given:
                if not group.endswith(ANY):
                    check_group(group)
            return given
        if self.grant.reaches(DEFAULT_GROUP) or not self.grant.groups:
            return (DEFAULT_GROUP,)
        return self.grant.groups

    def page(self, of: str, listing: Callable[..., Page[R]], asked: PagedOfGroup) -> Response:
        """A page of one of a group's lists, from its cursor on."""
        group = self.group(asked.group_id)
        found = listing(group, after=place_in(asked.cursor, of), limit=asked.limit)
        return answered(shown(found, of))

    async def decide(
        self, group_id: str | None, decide: Callable[[str], Decision], *, wait: bool, status: int = 200
    ) -> Response:
        """Logs a decision about the group that is meant, as `write` does; with `wait` takes it in."""

        def decided() -> Response:
            group = self.group(group_id)
            decision = decide(group)
            if wait:
                self.telling.commit(group)
            return answered(decision, status)

        return await self.write(decided)

    async def write(self, work: Callable[[], Response]) -> Response:
        """Does a write beside the readers' threads, once for each Idempotency-Key; vectors follow."""
        response = await self._once(work)
        self.service.vectors.want()
        return response

    async def _once(self, work: Callable[[], Response]) -> Response:
        key = self.request.headers.get("idempotency-key")
        if key is None:
            return await self._beside(work)
        body = await self.request.body()
        url = self.request.url
        asked = Asked(
            key=key,
            grant=self.grant,
            fingerprint=fingerprint_of(self.request.method, f"{url.path}?{url.query}", body),
        )

        def once() -> Response:
            def keeping() -> Kept:
                response = work()
                return Kept(status=response.status_code, body=bytes(response.body))

            kept, again = self.service.answers.once(asked, keeping)
            headers = {"Idempotent-Replayed": "true"} if again else {}
            return Response(kept.body, kept.status, headers=headers, media_type=MEDIA_TYPE)

        return await self._beside(once)

    async def _beside(self, work: Callable[[], R]) -> R:
        return await anyio.to_thread.run_sync(partial(work), limiter=self.service.writers)


async def caller_of(request: Request) -> Caller:
    """The caller of a request that the gate has let in."""
    service: Service = request.app.state.service
    return Caller(
        installation=service.installation,
        grant=request.scope["state"]["grant"],
        audit=service.audit,
        service=service,
        request=request,
    )


Called = Annotated[Caller, Depends(caller_of)]


@contextmanager
def naming(what: str) -> Iterator[None]:
    """Around the look-up of what a path names: what is not there is 404, said with the same words."""
    try:
        yield
    except (Misplaced, Forbidden):
        raise
    except Incorrect as error:
        raise not_found(what, str(error)) from None


def not_found(what: str, detail: str) -> Refused:
    """There is no such thing within reach."""
    return Refused(404, detail or f"there is no such {what}", kind="not-found")
