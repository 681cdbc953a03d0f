-- Positions are drawn once, in the order of the ids, whichever way the rows are then found: where the database chose to look for each
-- event among those that wait, it drew them again for each, and events got the order in which the table had them.
create or replace function place_events(lock bigint, patient boolean) returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(lock);
  if patient then
    perform from events where position is null order by id for no key update;
  end if;
  with waiting as materialized (
    select id from events where position is null order by id for no key update skip locked
  ), placed as materialized (
    select id, nextval('events_position_seq') as position from waiting
  )
  update events e set position = placed.position from placed where e.id = placed.id;
  return true;
end $$;
