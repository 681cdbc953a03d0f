-- Signing in for others: bots that act for an employee, and devices without a browser. Everything secret is a hash.

-- A code of the consent screen: ten minutes, one use.
create table oauth_codes (
  hash bytea primary key,
  bot_id bigint not null references users (id),
  user_id bigint not null references users (id),
  redirect_uri text not null,
  code_challenge text,
  scopes text[] not null,
  expires_at timestamptz not null
);
create index oauth_codes_bot on oauth_codes (bot_id);
create index oauth_codes_age on oauth_codes (expires_at);

-- What an employee granted a bot: one token for one set of scopes. The value is made from the salt and the secret of
-- the workspace, so that the same grant gives the same token again although only its hash is kept.
create table oauth_grants (
  token_id bigint primary key references tokens (id) on delete cascade,
  bot_id bigint not null references users (id),
  user_id bigint not null references users (id),
  scope text not null,
  salt bytea not null
);
create unique index oauth_grants_once on oauth_grants (bot_id, user_id, scope);
create index oauth_grants_user on oauth_grants (user_id, bot_id);

-- Single use: the row goes when it is used, and with its token.
create table refresh_tokens (
  hash bytea primary key,
  token_id bigint not null references tokens (id) on delete cascade,
  created_at timestamptz not null
);
create index refresh_tokens_token on refresh_tokens (token_id);

create table device_codes (
  hash bytea primary key,
  user_code text not null,
  device_name text,
  state text not null default 'pending' check (state in ('pending', 'approved', 'denied')),
  user_id bigint references users (id),
  -- Frozen when the person confirms.
  scopes text[],
  polled_at timestamptz,
  expires_at timestamptz not null
);
create unique index device_codes_user_code on device_codes (user_code);
create index device_codes_age on device_codes (expires_at);

create unique index bots_oauth_client on bots ((oauth_client ->> 'client_id'));
