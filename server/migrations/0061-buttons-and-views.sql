-- Presses of buttons, the forms that bots open on them, and what people send.

-- A press hands the bot a trigger that opens one form, for three seconds from when the bot was told of it.
create table triggers (
  id uuid primary key,
  bot_id bigint not null references users (id),
  user_id bigint not null references users (id),
  chat_id bigint not null,
  message_id bigint not null,
  told_at timestamptz,
  used_at timestamptz,
  created_at timestamptz not null,
  -- The Idempotency-Key it was asked for with.
  request_token_id bigint,
  request_key text,
  request_hash bytea
);
create unique index triggers_request on triggers (request_token_id, request_key) where request_key is not null;
create index triggers_age on triggers (created_at);

create table views (
  id text primary key,
  bot_id bigint not null references users (id),
  user_id bigint not null references users (id),
  chat_id bigint not null,
  callback_id text,
  private_metadata text,
  form jsonb not null,
  opened_at timestamptz not null,
  closed_at timestamptz
);
create index views_open on views (user_id, opened_at, id) where closed_at is null;
create index views_age on views (opened_at);

-- One try of a person to send a form. Whoever waits for the bot, in whichever process, reads the row.
create table view_submits (
  id uuid primary key,
  view_id text not null references views (id) on delete cascade,
  via text not null check (via in ('webhook', 'queue')),
  state text not null check (state in ('waiting', 'accepted', 'rejected', 'failed')),
  errors jsonb,
  deadline_at timestamptz not null,
  created_at timestamptz not null,
  request_token_id bigint,
  request_key text,
  request_hash bytea
);
create index view_submits_view on view_submits (view_id);
create unique index view_submits_request on view_submits (request_token_id, request_key) where request_key is not null;
