-- What happened is sent to a bot again, or for the first time, from the events that are kept.
create table replays (
  id bigint generated always as identity primary key,
  bot_id bigint not null references bots (user_id) on delete cascade,
  -- Null where the events go into the queue.
  endpoint_id bigint,
  endpoint_name text not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  events text[],
  chat_ids bigint[],
  only_ text not null check (only_ in ('all', 'failed', 'missing')),
  state text not null default 'running' check (state in ('running', 'finished', 'cancelled')),
  total int not null,
  -- Events up to this position have been dealt with, and so many of them were taken.
  position bigint not null,
  taken int not null default 0,
  ended boolean not null default false,
  next_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz
);
create unique index replays_running on replays (bot_id) where state = 'running';
create index replays_bot on replays (bot_id, id);

create index deliveries_replay on deliveries (replay_id, state) where replay_id <> 0;
create index deliveries_position on deliveries (bot_id, position) where position is not null;
create index events_age on events using brin (created_at);
alter table queued_events add column position bigint;

-- Deliveries of earlier events do not say which event they are about.
alter table workspace add column replays_after bigint not null default 0;
update workspace set replays_after = coalesce((select max(position) from events), 0);
