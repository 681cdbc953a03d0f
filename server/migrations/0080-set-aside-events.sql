-- Events that may be what made a reader fail, or a process end. While there are any, the relay takes events one at a time and
-- counts each attempt here, by a commit of its own, before the readers see the event.
create table relay_suspects (
  event_id bigint primary key,
  attempts int not null default 0,
  last_error text
);

-- Events that no reader could take. They have no position and nobody hears of them.
create table set_aside_events (
  id bigint primary key,
  type text not null,
  chat_id bigint,
  actor_id bigint not null,
  payload jsonb not null,
  created_at timestamptz not null,
  attempts int not null,
  reason text not null,
  set_aside_at timestamptz not null
);
