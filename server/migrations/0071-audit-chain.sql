-- The audit log keeps itself: rows are only ever added and then sealed once, and nothing but the end of their keeping
-- takes them away. Where the chain begins and ends is written beside it, so that a cut at either end is seen too.

create table audit_chain (
  id int primary key default 1 check (id = 1),
  -- The last row that keeping has let go: the first kept row follows it.
  anchor_position bigint not null default 0,
  anchor_hash bytea not null default ''::bytea,
  head_position bigint not null default 0,
  head_hash bytea not null default ''::bytea
);
insert into audit_chain default values;

create function keep_audit_events() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.position is null and new.hash is null and new.previous_hash is null then return new; end if;
    raise exception 'audit events are sealed after they are written, not while';
  end if;
  if tg_op = 'UPDATE' then
    if old.hash is null
      and (old.id, old.sequence, old.created_at, old.event_key, old.actor_id, old.entity_type, old.entity_id, old.details)
        = (new.id, new.sequence, new.created_at, new.event_key, new.actor_id, new.entity_type, new.entity_id, new.details)
      and old.ip_address is not distinct from new.ip_address
      and old.user_agent is not distinct from new.user_agent
    then return new; end if;
    raise exception 'audit events cannot be changed';
  end if;
  -- Retention says so in its own transaction.
  if coalesce(current_setting('parley.audit_retention', true), '') = 'on' then return old; end if;
  raise exception 'audit events cannot be removed';
end $$;

create trigger audit_events_kept before insert or update or delete on audit_events
  for each row execute function keep_audit_events();
create trigger audit_events_not_emptied before truncate on audit_events
  for each statement execute function keep_audit_events();

-- Rows are found by what they hold once they are sealed. Those that are not are few and are read one by one, so that
-- the transactions that write them do not pay for these indexes.
drop index audit_events_time;
create index audit_events_time on audit_events (created_at, sequence) where position is not null;
create index audit_events_key on audit_events (event_key, created_at, sequence) where position is not null;
create index audit_events_actor on audit_events (actor_id, created_at, sequence) where position is not null;
create index audit_events_entity on audit_events (entity_id, created_at, sequence) where position is not null;
