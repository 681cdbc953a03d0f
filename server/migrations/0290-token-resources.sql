-- What a client asked its token for (RFC 8707): the API or the Model Context Protocol. Null: both.
alter table oauth_codes add resource text check (resource in ('api', 'mcp'));
alter table oauth_grants add resource text check (resource in ('api', 'mcp'));
alter table tokens add resource text check (resource in ('api', 'mcp'));
create unique index oauth_grants_once_each on oauth_grants (bot_id, user_id, scope, coalesce(resource, ''));
drop index oauth_grants_once;
