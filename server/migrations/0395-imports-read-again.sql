-- A crash of the database empties import_records, and the archive is read again. Where the same records come, in the same
-- order, writing goes on at its place; their digest tells. Null until an archive was read to its end.
alter table imports add column records_sha256 bytea;
