-- Every batch of messages asks for events without positions, and nearly always there are none: one look into their index is cheaper than
-- to begin an update that finds nothing.
create or replace function place_events(lock bigint, patient boolean) returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(lock);
  if not exists (select from events where position is null) then return true; end if;
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
