-- Webhooks: what is to be sent to each bot, in which order, by which process, and what became of it.

-- Whether a member is a bot is copied from its user row, so that the few bots of a large chat are found at once.
alter table chat_members add column bot boolean not null default false;
update chat_members m set bot = true from users u where u.id = m.user_id and u.bot;
create function note_bot_member() returns trigger language plpgsql as $$
begin
  new.bot := coalesce((select u.bot from users u where u.id = new.user_id), false);
  return new;
end $$;
create trigger chat_members_bot before insert on chat_members for each row execute function note_bot_member();
create index chat_members_bots on chat_members (chat_id, user_id) where bot;

-- A bot that leaves a chat is still owed what happened in it before.
create index events_removals on events (chat_id) where type = 'chat_members.removed';

-- Host of the outgoing address; a host that is slow takes a bounded share of the senders.
alter table bots add column outgoing_origin text not null
  generated always as (coalesce(lower(substring(outgoing_url from '^[^/]+//[^/?#]+')), '')) stored;
create index bots_unfurl on bots (user_id) where 'message_link_shared' = any (events);
create index bots_creator on bots (creator_id);

create table deliveries (
  id bigint generated always as identity primary key,
  bot_id bigint not null,
  -- 0 where the event belongs to no chat.
  chat_id bigint not null,
  event_id text not null,
  event_type text not null,
  -- The body without its stamp, which each attempt adds.
  payload text not null,
  state text not null check (state in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts int not null default 0,
  -- Attempts made before somebody asked for it to be sent again; the schedule starts anew after them.
  attempts_before int not null default 0,
  next_attempt_at timestamptz,
  -- Of one that is sent at once and past the lanes: until when its sender is trusted to be alive.
  held_until timestamptz,
  created_at timestamptz not null
);
create index deliveries_waiting on deliveries (bot_id, chat_id, id) where state = 'pending' and held_until is null;
create index deliveries_held on deliveries (held_until) where state = 'pending' and held_until is not null;
create index deliveries_log on deliveries (bot_id, created_at, id);
create index deliveries_log_unsent on deliveries (bot_id, state, created_at, id) where state <> 'delivered';
create index deliveries_age on deliveries using brin (created_at);

create table delivery_attempts (
  delivery_id bigint not null,
  number int not null,
  at timestamptz not null,
  status int,
  duration_ms int not null,
  error text,
  primary key (delivery_id, number)
);

-- A process that sends. The database's own clock measures how long the others believe in it.
create table delivery_workers (
  id uuid primary key,
  alive_until timestamptz not null
);

-- One bot in one chat with something waiting: deliveries of a lane go one after the other, lanes side by side.
-- `version` moves whenever a delivery joins, so that no lane is dropped over what came meanwhile.
create table delivery_lanes (
  bot_id bigint not null,
  chat_id bigint not null,
  version bigint not null default 1,
  due_at timestamptz not null,
  worker_id uuid,
  primary key (bot_id, chat_id)
);
create index delivery_lanes_due on delivery_lanes (due_at) where worker_id is null;
create index delivery_lanes_taken on delivery_lanes (worker_id) where worker_id is not null;

-- The queue that bots poll.
create table queued_events (
  sequence bigint generated always as identity primary key,
  id text not null,
  bot_id bigint not null,
  event_type text not null,
  payload text not null,
  created_at timestamptz not null
);
create unique index queued_events_id on queued_events (bot_id, id);
create index queued_events_bot on queued_events (bot_id, sequence);
create index queued_events_age on queued_events using brin (created_at);
