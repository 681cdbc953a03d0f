-- The next migration looks the last deleted message up for each member of each chat, by an index that it makes itself. A transaction cannot
-- use an index that it made after it had changed rows in place, so each look-up would read all messages. This index is there before it;
-- databases that have applied it already need none, and 0490 removes it.
do $$
begin
  if not exists (select from pg_attribute where attrelid = 'messages'::regclass and attname = 'number') then
    create index messages_deleted_before on messages (chat_id, id) where deleted_at is not null;
  end if;
end $$;
