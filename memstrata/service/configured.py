"""The limits of a server as its settings have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.service.limits import MEBIBYTE, Limits

if TYPE_CHECKING:
    from memstrata.settings import Settings


def limits_of(settings: Settings) -> Limits:
    """The limits that are set, and for the others their defaults."""
    usual = Limits()
    body, upload = settings.serve_body_mib, settings.serve_upload_mib
    return Limits(
        body=usual.body if body is None else body * MEBIBYTE,
        upload=usual.upload if upload is None else upload * MEBIBYTE,
        requests=settings.serve_requests or usual.requests,
        requests_of_one=settings.serve_requests_of_token or usual.requests_of_one,
        answer_seconds=settings.serve_answer_seconds or usual.answer_seconds,
        body_seconds=settings.serve_body_seconds or usual.body_seconds,
        send_seconds=settings.serve_send_seconds or usual.send_seconds,
        readers=settings.serve_readers or usual.readers,
        writers=settings.serve_writers or usual.writers,
    )
