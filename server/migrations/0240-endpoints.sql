-- Further addresses of a bot. Its first one stays in `bots` and is endpoint 0 of the bot wherever an endpoint is named.
create table endpoints (
  id bigint generated always as identity primary key,
  bot_id bigint not null references bots (user_id) on delete cascade,
  name text not null,
  url text not null,
  origin text not null generated always as (coalesce(lower(substring(url from '^[^/]+//[^/?#]+')), '')) stored,
  events text[] not null,
  -- Null where every chat of the bot counts.
  chat_ids bigint[],
  trigger text not null check (trigger in ('commands', 'all_messages', 'unfurl')),
  signature text not null check (signature in ('hmac', 'ed25519')),
  public_key text,
  -- Keys and headers are encrypted with the secret of the server.
  signing_key bytea not null,
  old_signing_key bytea,
  old_key_until timestamptz,
  headers bytea,
  header_names text[] not null default '{}',
  disabled boolean not null default false,
  failures int not null default 0,
  failing_since timestamptz,
  paused_at timestamptz,
  created_at timestamptz not null
);
create unique index endpoints_name on endpoints (bot_id, lower(name));

-- Every address that deliveries go to; an empty url takes none.
create view webhook_addresses as
  select user_id as bot_id, 0::bigint as endpoint_id, outgoing_url as url, outgoing_origin as origin, failures, paused_at,
    signing_secret, old_signing_secret, null::bytea as signing_key, null::bytea as old_signing_key,
    old_secret_until as old_key_until, null::bytea as headers
  from bots
  union all
  select bot_id, id, case when disabled then '' else url end, origin, failures, paused_at,
    null, null, signing_key, old_signing_key, old_key_until, headers
  from endpoints;

alter table deliveries add column endpoint_id bigint not null default 0;
-- The replay that it is part of; 0 for deliveries of what happened just now.
alter table deliveries add column replay_id bigint not null default 0;
-- The place of the event that it is about, and when that happened where a replay sends it.
alter table deliveries add column position bigint;
alter table deliveries add column original_at timestamptz;
drop index deliveries_waiting;
create index deliveries_waiting on deliveries (bot_id, endpoint_id, replay_id, chat_id, id)
  where state = 'pending' and held_until is null;

-- A lane is what one address of a bot gets of one chat; replays have lanes of their own.
alter table delivery_lanes add column endpoint_id bigint not null default 0;
alter table delivery_lanes add column replay_id bigint not null default 0;
alter table delivery_lanes drop constraint delivery_lanes_pkey;
alter table delivery_lanes add primary key (bot_id, endpoint_id, replay_id, chat_id);
