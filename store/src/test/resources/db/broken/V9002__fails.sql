ALTER TABLE there_is_no_such_table ADD COLUMN later text;
