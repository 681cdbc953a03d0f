-- When the holder of a session last signed in anew at an identity provider, to confirm a change of how they sign in.
create table session_confirmations (
  token_id bigint primary key references tokens (id) on delete cascade,
  confirmed_at timestamptz not null
);
