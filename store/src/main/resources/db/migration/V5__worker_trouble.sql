-- trouble: why the worker takes no work for now, in its own words: its disk is full. Null when all is well.
ALTER TABLE worker
  ADD COLUMN trouble text,
  ADD CHECK (trouble <> '');

-- Output that the worker could not keep, in bytes; marks in the log say where. Null when none was lost.
ALTER TABLE attempt
  ADD COLUMN output_lost bigint,
  ADD CHECK (output_lost > 0);
