-- The count of a chat is of those who are listed as its members: people and bots who are neither suspended nor deleted.
-- Whether somebody is active is read under a lock of the row, which a change of it waits for: a new member holds it by the
-- foreign key, one who leaves takes it here. Without it a change that runs beside would be counted twice, or not at all.
create or replace function count_joined() returns trigger language plpgsql as $$
begin
  insert into chat_rosters as r (chat_id, members_count)
    select m.chat_id, count(*) filter (where not u.suspended and u.deleted_at is null)
    from changed_members m join users u on u.id = m.user_id group by m.chat_id order by m.chat_id
    on conflict (chat_id) do update set members_count = r.members_count + excluded.members_count;
  return null;
end $$;
create or replace function count_left() returns trigger language plpgsql as $$
begin
  perform from users where id in (select user_id from changed_members) order by id for key share;
  update chat_rosters r set members_count = r.members_count - changed.count
    from (select m.chat_id, count(*)::int as count
      from changed_members m join users u on u.id = m.user_id and not u.suspended and u.deleted_at is null
      group by m.chat_id order by m.chat_id) changed
    where r.chat_id = changed.chat_id;
  return null;
end $$;

create function count_active() returns trigger language plpgsql as $$
begin
  perform from users where id = new.id for update;
  perform from chat_rosters where chat_id in (select chat_id from chat_members where user_id = new.id)
    order by chat_id for no key update;
  update chat_rosters r
    set members_count = r.members_count + case when new.suspended or new.deleted_at is not null then -1 else 1 end
    from chat_members m where m.user_id = new.id and r.chat_id = m.chat_id;
  return null;
end $$;
create trigger users_active after update of suspended, deleted_at on users for each row
  when ((old.suspended or old.deleted_at is not null) <> (new.suspended or new.deleted_at is not null))
  execute function count_active();

update chat_rosters r set members_count = r.members_count - gone.count
  from (select m.chat_id, count(*)::int as count
    from chat_members m join users u on u.id = m.user_id and (u.suspended or u.deleted_at is not null)
    group by m.chat_id) gone
  where r.chat_id = gone.chat_id;
