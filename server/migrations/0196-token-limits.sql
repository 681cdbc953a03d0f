-- Limits of a token: what its holder may do with it, on top of the scopes.
alter table tokens add column limits jsonb;

drop trigger tokens_admission on tokens;
create constraint trigger tokens_admission after delete or update of hash, scopes, user_id, limits on tokens
  deferrable initially deferred for each row execute function bump_admission_epoch();

create table token_writes (
  token_id bigint not null references tokens on delete cascade,
  day date not null,
  writes integer not null,
  primary key (token_id, day)
);

create table approvals (
  id bigint generated always as identity primary key,
  token_id bigint not null references tokens on delete cascade,
  user_id bigint not null references users,
  operation text not null,
  request jsonb not null,
  request_hash bytea not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'refused', 'used')),
  created_at timestamptz not null,
  decided_at timestamptz
);
create index approvals_of on approvals (user_id, id desc);
create index approvals_request on approvals (token_id, request_hash, id desc);

-- Whether limits leave a chat; a thread follows the chat it hangs in, or is named itself.
create function leash_allows(limits jsonb, chat bigint) returns boolean language sql stable as $$
  select exists (
    select from public.chats c
    left join public.threads t on t.chat_id = c.id
    left join public.chats p on p.id = t.message_chat_id
    where c.id = chat
      and (limits -> 'chat_ids' is null
        or limits -> 'chat_ids' @> to_jsonb(c.id) or limits -> 'chat_ids' @> to_jsonb(p.id))
      and (limits -> 'chat_kinds' is null or limits -> 'chat_kinds' @> to_jsonb(coalesce(p.kind, c.kind))))
$$;

create function leash_holds(chat bigint) returns boolean language sql stable as $$
  select public.leash_allows(current_setting('parley.leash')::jsonb, chat)
$$;

create function leash_holds_message(message bigint) returns boolean language sql stable as $$
  select exists (select from public.messages m where m.id = message and public.leash_holds(m.chat_id))
$$;

-- What requests of a token with chat limits see in place of the tables: search_path puts this schema first. Made anew
-- after every migration, so that the views have the columns of their tables.
create function refresh_leash() returns void language plpgsql as $$
begin
  drop schema if exists leash cascade;
  create schema leash;
  create view leash.chats as select * from public.chats where public.leash_holds(id);
  create view leash.chat_members as select * from public.chat_members where public.leash_holds(chat_id);
  create view leash.chat_tags as select * from public.chat_tags where public.leash_holds(chat_id);
  create view leash.threads as select * from public.threads where public.leash_holds(chat_id);
  create view leash.messages as select * from public.messages where public.leash_holds(chat_id);
  create view leash.mentions as select * from public.mentions where public.leash_holds(chat_id);
  create view leash.pins as select * from public.pins where public.leash_holds(chat_id);
  create view leash.reactions as select * from public.reactions where public.leash_holds_message(message_id);
  create view leash.link_previews as select * from public.link_previews where public.leash_holds_message(message_id);
  create view leash.files as select * from public.files where message_id is null or public.leash_holds_message(message_id);
  create view leash.tasks as select * from public.tasks where chat_id is null or public.leash_holds(chat_id);
  create view leash.drafts as select * from public.drafts where public.leash_holds(chat_id);
  create view leash.views as select * from public.views where public.leash_holds(chat_id);
  create view leash.notices as select * from public.notices
    where payload ->> 'chat_id' is null or public.leash_holds((payload ->> 'chat_id')::bigint);
  create view leash.queued_events as select * from public.queued_events
    where payload::jsonb ->> 'chat_id' is null or public.leash_holds((payload::jsonb ->> 'chat_id')::bigint);
  create view leash.deliveries as select * from public.deliveries where chat_id = 0 or public.leash_holds(chat_id);
end
$$;

-- A bot whose every token has chat limits hears of the chats of those alone: null where it hears of all.
alter table bots add column leash jsonb;

create function bind_bot_leash() returns trigger language plpgsql as $$
declare
  holder bigint := coalesce(new.user_id, old.user_id);
begin
  update public.bots set leash = (
    select case when count(*) > 0 and bool_and(t.limits ? 'chat_ids' or t.limits ? 'chat_kinds') then jsonb_agg(t.limits) end
    from public.tokens t where t.user_id = holder and t.kind = 'bot')
  where user_id = holder;
  return null;
end
$$;
create trigger tokens_bind_leash_new after insert or update of limits on tokens
  for each row when (new.kind = 'bot') execute function bind_bot_leash();
create trigger tokens_bind_leash_old after delete on tokens
  for each row when (old.kind = 'bot') execute function bind_bot_leash();

select refresh_leash();
