-- Moves a cursor only from where it was when its instants were decided, and only if nobody changed, paused or resumed the trigger
-- or resumed its workflow. Locks versions in id order, as lock_triggers does.
WITH input AS MATERIALIZED (
  SELECT *
  FROM unnest(CAST(:ids AS uuid[]), CAST(:seen AS timestamptz[]), CAST(:untils AS timestamptz[]), CAST(:paused AS boolean[]),
              CAST(:seen_replays AS timestamptz[]), CAST(:nexts AS timestamptz[]), CAST(:dues AS timestamptz[]),
              CAST(:replays AS timestamptz[]))
       AS i (id, seen_at, until_at, paused, seen_replay, next_at, due_at, replay_from)
  ORDER BY id
)
UPDATE trigger_version v
SET next_at = i.next_at, due_at = i.due_at, replay_from = i.replay_from
FROM input i
WHERE v.id = i.id
  AND v.next_at IS NOT DISTINCT FROM i.seen_at
  AND v.until_at IS NOT DISTINCT FROM i.until_at
  AND (v.paused_at IS NOT NULL) = i.paused
  AND v.replay_from IS NOT DISTINCT FROM i.seen_replay
RETURNING v.id
