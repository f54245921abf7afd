-- Times in which no replica could write, told by the first beat after them: neither a worker's silence nor the time in
-- which one may come back counts while nobody could have written its report or hello. Here, because leaders change. A
-- step of the clock forward that is longer than a gap looks the same, and is not counted either.
CREATE TABLE outage (
  began_at timestamptz PRIMARY KEY,
  ended_at timestamptz NOT NULL,
  CHECK (began_at < ended_at)
);
