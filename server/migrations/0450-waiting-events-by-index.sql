-- The second bound is always true. With one bound alone the database takes a third of all events for waiting and reads the whole
-- table; of a range between two it expects few, and goes by the index.
create or replace view waiting_events as
  select * from events where position is null
  union all
  select * from events where position > (select position from relay_cursor) and position < 9223372036854775807;
