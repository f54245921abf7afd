-- What a person wrote about the task, for other people.
ALTER TABLE task ADD COLUMN note text CHECK (length(note) BETWEEN 1 AND 1000);
