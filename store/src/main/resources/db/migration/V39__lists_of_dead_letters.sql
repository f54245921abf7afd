-- For lists and groups, which look at a bounded number of dead letters in the order of an index.
CREATE INDEX dead_letter_of_reason ON dead_letter (tenant, reason, id DESC);
CREATE INDEX dead_letter_unretried ON dead_letter (tenant, id DESC) WHERE retried_as IS NULL;
