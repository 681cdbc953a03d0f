-- What people are told of. A person without a row has the usual settings.
create table notification_settings (
  user_id bigint primary key references users (id) on delete cascade,
  level text not null default 'mentions' check (level in ('all', 'mentions', 'nothing')),
  keywords text[] not null default '{}',
  -- Times of day such as 22:30, in the zone of the person; both or neither.
  quiet_from text,
  quiet_to text,
  sound boolean not null default true,
  mail_digest text not null default 'off' check (mail_digest in ('off', 'hourly', 'daily')),
  -- Messages up to this time were in a digest already.
  digest_sent_at timestamptz,
  check ((quiet_from is null) = (quiet_to is null))
);
create index notification_settings_digests on notification_settings (user_id) where mail_digest <> 'off';

-- The same for one chat; a thread has its chat too.
create table chat_notifications (
  user_id bigint not null references users (id) on delete cascade,
  chat_id bigint not null references chats (id) on delete cascade,
  level text check (level in ('all', 'mentions', 'nothing')),
  muted_until timestamptz,
  primary key (user_id, chat_id)
);
create index chat_notifications_chat on chat_notifications (chat_id);

-- Browsers that get Web Push. One belongs to a session and ends with it.
create table push_subscriptions (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  token_id bigint not null references tokens (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  last_sent_at timestamptz
);
create unique index push_subscriptions_endpoint on push_subscriptions (endpoint);
create unique index push_subscriptions_token on push_subscriptions (token_id);
create index push_subscriptions_user on push_subscriptions (user_id);

-- The message that a browser shows of a chat, as far as is known here.
create table shown_pushes (
  subscription_id bigint not null references push_subscriptions (id) on delete cascade,
  chat_id bigint not null references chats (id) on delete cascade,
  message_id bigint not null,
  primary key (subscription_id, chat_id)
);
create index shown_pushes_chat on shown_pushes (chat_id, message_id);

-- Chats that were muted while the client kept the list among its preferences.
insert into chat_notifications (user_id, chat_id, level)
select p.user_id, c.id, 'nothing'
from preferences p
cross join lateral jsonb_array_elements(
  case when jsonb_typeof(p.value::jsonb -> 'muted_chat_ids') = 'array' then p.value::jsonb -> 'muted_chat_ids' else '[]' end
) muted
join chats c on to_jsonb(c.id) = muted
on conflict do nothing;
