-- A draft to a person names the person: the personal chat opens with the first message, not with the draft.
alter table drafts alter column chat_id drop not null;
alter table drafts add column to_user_id bigint references users (id);
update drafts d set chat_id = null, to_user_id = case
  when split_part(c.personal_key, ':', 1)::bigint = d.user_id then split_part(c.personal_key, ':', 2)::bigint
  else split_part(c.personal_key, ':', 1)::bigint end
from chats c where c.id = d.chat_id and c.kind = 'personal';
alter table drafts add constraint drafts_one_place check ((chat_id is null) <> (to_user_id is null));
create unique index drafts_plain_person on drafts (user_id, to_user_id) where interval is null and to_user_id is not null;
create index drafts_place_person on drafts (user_id, to_user_id, id) where to_user_id is not null;
