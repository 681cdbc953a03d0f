-- Counting members no longer locks people. Who adds or removes members has locked the chat before, and a change of a person
-- locks the person first, so that the two waited for each other. Now only the row of the count is locked, before anybody is
-- looked at: of a suspension and somebody leaving beside it, the later one sees the earlier. A member who joins beside
-- a suspension may be missed by it; the job members.recount finds them.
create or replace function count_joined() returns trigger language plpgsql as $$
begin
  insert into chat_rosters (chat_id, members_count) select distinct chat_id, 0 from changed_members order by chat_id
    on conflict (chat_id) do update set members_count = 0 where false;
  update chat_rosters r set members_count = r.members_count + joined.count
    from (select m.chat_id, count(*)::int as count
      from changed_members m join users u on u.id = m.user_id and not u.suspended and u.deleted_at is null
      group by m.chat_id) joined
    where r.chat_id = joined.chat_id;
  return null;
end $$;
create or replace function count_left() returns trigger language plpgsql as $$
begin
  perform from chat_rosters where chat_id in (select chat_id from changed_members) order by chat_id for no key update;
  update chat_rosters r set members_count = r.members_count - gone.count
    from (select m.chat_id, count(*)::int as count
      from changed_members m join users u on u.id = m.user_id and not u.suspended and u.deleted_at is null
      group by m.chat_id) gone
    where r.chat_id = gone.chat_id;
  return null;
end $$;
create or replace function count_active() returns trigger language plpgsql as $$
begin
  perform from chat_rosters where chat_id in (select chat_id from chat_members where user_id = new.id)
    order by chat_id for no key update;
  update chat_rosters r
    set members_count = r.members_count + case when new.suspended or new.deleted_at is not null then -1 else 1 end
    from chat_members m where m.user_id = new.id and r.chat_id = m.chat_id;
  return null;
end $$;
-- Locks go from people to tags to chats, and triggers fire by their names.
drop trigger users_active on users;
create trigger users_then_rosters after update of suspended, deleted_at on users for each row
  when ((old.suspended or old.deleted_at is not null) <> (new.suspended or new.deleted_at is not null))
  execute function count_active();
create or replace function recount_tags_of_user() returns trigger language plpgsql as $$
begin
  perform from group_tags where id in (select tag_id from user_tags where user_id = new.id) order by id for no key update;
  update group_tags t set users_count = t.users_count + case when new.suspended or new.deleted_at is not null then -1 else 1 end
    where t.id in (select tag_id from user_tags where user_id = new.id);
  return null;
end $$;
