-- A person's list of chats is read from memberships, so each knows in which part of the list its chat stands.
-- Message writes never touch it. Archiving does, afterwards and bit by bit: the chat itself says whether it is archived.
alter table chat_members add column place text not null default 'group'
  check (place in ('group', 'personal', 'archive', 'thread'));

create function place_chat_member() returns trigger language plpgsql as $$
begin
  select case when kind in ('personal', 'thread') then kind when archived_at is null then 'group' else 'archive' end
    into new.place from chats where id = new.chat_id;
  -- A chat that is not there is the foreign key's to refuse.
  new.place := coalesce(new.place, 'group');
  return new;
end $$;
create trigger chat_members_place before insert on chat_members
  for each row execute function place_chat_member();
update chat_members m set place =
  case when c.kind in ('personal', 'thread') then c.kind when c.archived_at is null then 'group' else 'archive' end
  from chats c where c.id = m.chat_id;

create index chat_members_place on chat_members (user_id, place, chat_id) include (hidden);
-- The few of a big roster who are more than members.
create index chat_members_staff on chat_members (chat_id, role, user_id) where role <> 'member';

-- One index for the open chats and for those of the workspace, whichever are archived.
drop index chats_public;
create index chats_groups on chats (((archived_at is null)::int), public, id) where kind in ('conversation', 'channel');

-- How many active people have a tag, kept with the tag: counting them would make a page of big tags slow.
alter table group_tags add column users_count int not null default 0;

create function count_tagged() returns trigger language plpgsql as $$
begin
  update group_tags t set users_count = t.users_count + changed.count * tg_argv[0]::int
    from (select c.tag_id, count(*)::int as count from changed_tags c
      join users u on u.id = c.user_id and not u.bot and not u.suspended and u.deleted_at is null
      group by c.tag_id order by c.tag_id) changed
    where t.id = changed.tag_id;
  return null;
end $$;
create trigger user_tags_counted after insert on user_tags
  referencing new table as changed_tags for each statement execute function count_tagged('1');
create trigger user_tags_uncounted after delete on user_tags
  referencing old table as changed_tags for each statement execute function count_tagged('-1');

create function recount_tags_of_user() returns trigger language plpgsql as $$
begin
  update group_tags t set users_count = t.users_count + case when new.suspended or new.deleted_at is not null then -1 else 1 end
    where t.id in (select tag_id from user_tags where user_id = new.id);
  return null;
end $$;
create trigger users_tags_counted after update of suspended, deleted_at on users for each row
  when (not new.bot and (old.suspended or old.deleted_at is not null) <> (new.suspended or new.deleted_at is not null))
  execute function recount_tags_of_user();
update group_tags t set users_count = (select count(*) from user_tags ut
  join users u on u.id = ut.user_id and not u.bot and not u.suspended and u.deleted_at is null where ut.tag_id = t.id);
-- Whom rosters leave out.
create index users_gone on users (id) where suspended or deleted_at is not null;
