-- Unread counters without counting: every message of people and bots has its number in the chat, and the read pointer
-- knows the number it stands at. Unread is what was written after it, less the deleted ones, which an index finds.
alter table chats
  add column messages_count int not null default 0,
  -- Numbers up to here were removed by retention.
  add column removed_count int not null default 0;
alter table messages add column number int;
alter table chat_members add column read_number int not null default 0;

update messages m set number = x.number
  from (select id, row_number() over (partition by chat_id order by id) as number from messages where not system) x
  where m.id = x.id;
update chats c set messages_count = x.count
  from (select chat_id, max(number) as count from messages group by chat_id) x where c.id = x.chat_id and x.count is not null;

-- Stubs of deleted messages, for timelines and for the counters.
create index messages_deleted on messages (chat_id, id) include (number) where deleted_at is not null;

-- The number of the last counted message up to this one; 0 where there is none.
create function message_number_at(chat bigint, message bigint) returns int language sql stable parallel safe as $$
  select coalesce(max(number), 0) from (
    (select number from messages where chat_id = chat and id <= message and deleted_at is null and not system
      order by id desc limit 1)
    union all
    (select number from messages where chat_id = chat and id <= message and deleted_at is not null
      order by id desc limit 1)) last
$$;
update chat_members set read_number = message_number_at(chat_id, read_message_id) where read_message_id > 0;

-- What a system line tells, as data; its text stays for those who read text.
alter table messages add column system_event jsonb;

-- Whom messages name: a person, a tag, or, with neither, everybody in the chat. Written with the message.
create table mentions (
  message_id bigint not null,
  chat_id bigint not null,
  user_id bigint references users (id),
  tag_id bigint
);
create index mentions_message on mentions (message_id);
create index mentions_user on mentions (user_id, message_id) where user_id is not null;
create index mentions_person on mentions (user_id, chat_id, message_id) where user_id is not null;
create index mentions_many on mentions (chat_id, message_id) include (tag_id) where user_id is null;
-- The word that calls the people of a tag.
create index group_tags_call on group_tags (lower(replace(name, ' ', '')));
