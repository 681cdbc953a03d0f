-- Processes keep which messages of a segment have the words of a search that is asked again and again. Nothing is added to a segment that
-- is closed, so that what is kept holds until a message of it changes or goes. Each such change is noted here, with its transaction: a
-- process that has seen everything before some transaction asks for what came from it on.
create table search_changes (
  id bigint generated always as identity primary key,
  segment bigint not null,
  xid xid8 not null default pg_current_xact_id()
);
create index search_changes_xid on search_changes (xid);

create function note_search_changes() returns trigger language plpgsql set search_path from current as $$
begin
  insert into search_changes (segment) select distinct id >> 12 from changed;
  return null;
end $$;

create trigger search_changes_by_update after update on messages referencing old table as changed
  for each statement execute function note_search_changes();
create trigger search_changes_by_delete after delete on messages referencing old table as changed
  for each statement execute function note_search_changes();
