-- What was used stays for a while: its second use shows that somebody else holds it, and ends the token it led to.
alter table refresh_tokens add column used_at timestamptz;
create index refresh_tokens_used on refresh_tokens (used_at) where used_at is not null;
alter table oauth_codes add column token_id bigint references tokens (id) on delete cascade;
create index oauth_codes_token on oauth_codes (token_id) where token_id is not null;
