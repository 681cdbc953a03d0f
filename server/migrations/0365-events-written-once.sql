-- Plain messages get the positions of their events when they are written. Positions are given under one lock, which is held
-- until the commit: whoever sees a position sees every lower one. So how far the readers have come is one number.
create table relay_cursor (
  id int primary key check (id = 1),
  position bigint not null
) with (fillfactor = 10);
insert into relay_cursor select 1, case when is_called then last_value else 0 end from events_position_seq;

-- What the readers have not been given yet.
create view waiting_events as
  select * from events where position is null
  union all
  select * from events where position > (select position from relay_cursor);

-- Gives positions to all committed events that have none, and keeps the lock for those that the transaction adds. It is
-- volatile, so that it sees what committed while its caller waited for locks. A row that another transaction holds is left
-- out, unless the caller is patient: one that holds the locks of its chats need not wait for events of other chats.
create function place_events(lock bigint, patient boolean) returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(lock);
  if patient then
    perform from events where position is null order by id for no key update;
  end if;
  update events e set position = placed.position
  from (
    select id, nextval('events_position_seq') as position
    from (select id from events where position is null order by id for no key update skip locked) as waiting
  ) as placed
  where e.id = placed.id;
  return true;
end $$;
