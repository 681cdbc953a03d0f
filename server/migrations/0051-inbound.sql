-- Texts that inbound webhooks left to be posted, in the order they came.

create table inbound_posts (
  id bigint generated always as identity primary key,
  bot_id bigint not null,
  content text not null,
  link_preview boolean not null,
  -- Chats up to this one have it already.
  after_chat_id bigint not null default 0,
  ip_address text,
  user_agent text
);
create index inbound_posts_bot on inbound_posts (bot_id, id);
