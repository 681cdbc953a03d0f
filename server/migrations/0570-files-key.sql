-- Names the key that encrypts new files, so that a start without it is refused instead of keeping them as they are.
alter table workspace add column files_key_id bytea;
