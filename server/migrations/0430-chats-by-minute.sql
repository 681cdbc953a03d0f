-- Every message changed all index entries of its chat, as two of them were ordered by the time of the last one. By its minute they
-- stay as they are until the next minute, and the row alone is written (a heap-only update).
alter table chats add column active_minute timestamptz not null
  generated always as (date_trunc('minute', last_message_at at time zone 'UTC') at time zone 'UTC') stored;
drop index chats_last_message;
drop index chats_public_last_message;
create index chats_active on chats (active_minute, id) where kind <> 'thread';
create index chats_public_active on chats (active_minute, id) where public and kind in ('conversation', 'channel');
