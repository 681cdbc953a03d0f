-- Audit records of messages that were sent together. A statement that writes messages adds one row for all of them here, in its own
-- transaction; the sealer moves them into blocks, so that each record is stored once and the log has one index entry for many.
create table audit_waiting (
  id bigint generated always as identity primary key,
  created_at timestamptz not null,
  -- Each from the sequence of audit_events, as the records of both are listed together.
  sequences bigint[] not null,
  message_ids bigint[] not null,
  actor_ids bigint[] not null,
  ip_addresses text[] not null,
  user_agents text[] not null
);

-- Sealed records of messages: a part of the chain from first_position to position. `hash` is that of the last record; the others
-- follow from `previous_hash` and the records.
create table audit_blocks (
  position bigint primary key,
  first_position bigint not null,
  previous_hash bytea not null,
  hash bytea not null,
  -- The ten seconds that all records are of, so that lists go from block to block in the order of time.
  bucket timestamptz not null,
  first_message_id bigint not null,
  last_message_id bigint not null,
  created_times timestamptz[] not null,
  sequences bigint[] not null,
  message_ids bigint[] not null,
  actor_ids bigint[] not null,
  ip_addresses text[] not null,
  user_agents text[] not null
);
create index audit_blocks_bucket on audit_blocks (bucket);
create index audit_blocks_messages on audit_blocks using gist (int8range(first_message_id, last_message_id, '[]'));
create index audit_blocks_actors on audit_blocks using gin (actor_ids) with (fastupdate = off);

create function audit_bucket(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
  select date_bin('10 seconds', at, '2000-01-01 00:00:00Z')
$$;

-- The id of the record of a message, which need not be stored: its time and a hash of the message's id, as version 7.
create function audit_message_uuid(at timestamptz, message_id bigint) returns uuid language sql stable parallel safe as $$
  select encode(set_bit(set_bit(set_bit(set_bit(set_bit(set_bit(
    overlay(decode(md5('message_created ' || message_id), 'hex')
      placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
    52, 1), 53, 1), 54, 1), 55, 0), 70, 0), 71, 1), 'hex')::uuid
$$;

-- Records are added, sealed once, and removed by retention alone.
create function keep_audit_blocks() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or (tg_op = 'DELETE' and tg_table_name = 'audit_waiting') then
    if coalesce(current_setting('parley.audit_sealing', true), '') = 'on' then return null; end if;
  elsif tg_op = 'DELETE' then
    if coalesce(current_setting('parley.audit_retention', true), '') = 'on' then return null; end if;
  end if;
  raise exception 'audit events cannot be changed, and only the sealer adds blocks';
end $$;
create trigger audit_blocks_kept before insert or update or delete or truncate on audit_blocks
  for each statement execute function keep_audit_blocks();
create trigger audit_waiting_kept before update or delete or truncate on audit_waiting
  for each statement execute function keep_audit_blocks();
