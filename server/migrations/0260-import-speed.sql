-- Keys are written for the import that is open alone, and imports are never deleted: checking the reference took half the time of writing a key.
alter table import_keys drop constraint import_keys_import_id_fkey;

-- Whether the same id was read before. It is found out once for all records, instead of with every record that is written.
alter table import_records add column repeated boolean not null default false;
update import_records r set repeated = true
from (select kind, source_id, min(seq) as first from import_records group by kind, source_id having count(*) > 1) x
where r.kind = x.kind and r.source_id = x.source_id and r.seq > x.first;
