-- Where a session was opened and used: its owner sees it in the list of own sessions.
alter table tokens add column user_agent text, add column ip_address text;

-- A session is renewed by use. A later end takes no right from anybody, so it leaves the caches of holders alone.
drop trigger tokens_admission on tokens;
create constraint trigger tokens_admission after delete or update of hash, scopes, user_id on tokens
  deferrable initially deferred for each row execute function bump_admission_epoch();
create constraint trigger tokens_shortened after update of expires_at on tokens
  deferrable initially deferred for each row
  when (new.expires_at is distinct from old.expires_at
    and coalesce(new.expires_at, 'infinity') < coalesce(old.expires_at, 'infinity'))
  execute function bump_admission_epoch();

-- One link a person at most. The link carries a proof made from the nonce, the mail and the old password.
create table password_resets (
  user_id bigint primary key references users (id),
  nonce text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
