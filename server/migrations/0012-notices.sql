-- What people were told in the app, so that whoever was away finds it later.
create table notices (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id),
  -- The event that told it; a batch of events that is read twice tells nothing twice.
  event_id bigint not null,
  kind text not null,
  payload jsonb not null,
  created_at timestamptz not null,
  read_at timestamptz
);
create unique index notices_event on notices (event_id);
create index notices_user on notices (user_id, id);
create index notices_unread on notices (user_id, id) where read_at is null;
create index notices_age on notices (created_at);

-- Sessions that are over are swept by their end.
create index tokens_expired on tokens (expires_at) where kind = 'session';
