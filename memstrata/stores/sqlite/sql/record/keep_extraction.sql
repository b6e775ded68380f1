-- Without the number in the queue that its episode bore when it was handed out, it is of the present context.
INSERT INTO extractions (h, revision, context_hash, version, body, seen, failed)
VALUES (
  :h, :revision, :context_hash, :version, :body,
  iif(:seen > 0, :seen, (SELECT asked FROM heads WHERE h = :h)), :failed
)
ON CONFLICT (h, revision, context_hash, version) DO UPDATE SET
  body = iif(body IS NULL OR failed > excluded.failed, excluded.body, body),
  failed = min(failed, excluded.failed),
  seen = max(seen, excluded.seen)
