-- How many members a chat has, kept beside it: counting them would make a list of big chats slow. A table of its own,
-- so that messages, which move the row of the chat, never wait for thousands of people to join.
create table chat_rosters (
  chat_id bigint primary key,
  members_count int not null
) with (fillfactor = 80);
insert into chat_rosters select chat_id, count(*) from chat_members group by chat_id;

create function count_joined() returns trigger language plpgsql as $$
begin
  insert into chat_rosters as r (chat_id, members_count)
    select chat_id, count(*) from changed_members group by chat_id order by chat_id
    on conflict (chat_id) do update set members_count = r.members_count + excluded.members_count;
  return null;
end $$;
create function count_left() returns trigger language plpgsql as $$
begin
  update chat_rosters r set members_count = r.members_count - changed.count
    from (select chat_id, count(*)::int as count from changed_members group by chat_id order by chat_id) changed
    where r.chat_id = changed.chat_id;
  return null;
end $$;
create trigger chat_members_joined after insert on chat_members
  referencing new table as changed_members for each statement execute function count_joined();
create trigger chat_members_left after delete on chat_members
  referencing old table as changed_members for each statement execute function count_left();
