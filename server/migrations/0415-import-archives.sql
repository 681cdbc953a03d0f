-- What was imported: the digest of the archive where it is a single file.
alter table imports add column archive_sha256 bytea;
