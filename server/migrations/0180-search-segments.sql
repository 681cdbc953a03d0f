-- Search goes through messages a segment at a time: 4096 ids each. The key ~N of a message names its segment and ~~N
-- sixteen of them together, so that the index can skip, in the list of a common word, everything outside of the segments
-- that are asked for.
drop index messages_search;
drop function search_keys(text, text, bigint, bigint, bigint);

create function search_keys(
  content text, file_names text, chat_id bigint, root_chat_id bigint, user_id bigint, id bigint
) returns text[]
language plpgsql immutable parallel safe cost 500 set search_path from current as $$
declare
  keys text[] := search_words_in(content, file_names)
    || array['@' || user_id, '#' || chat_id, '~' || (id >> 12), '~~' || (id >> 16)];
begin
  return case when root_chat_id = chat_id then keys else keys || ('#' || root_chat_id) end;
end $$;

create index messages_search on messages using gin (search_keys(content, file_names, chat_id, root_chat_id, user_id, id))
  with (gin_pending_list_limit = 16384) where deleted_at is null and not system;

-- The times between which the messages of a segment lie. Ids mostly follow time, but not where a history was imported.
-- Times stay null until no transaction can add a message any more: those that had an id when the segment was full are over.
create table search_segments (
  segment bigint primary key,
  full_at xid8 not null,
  oldest timestamptz,
  newest timestamptz
);
create index search_segments_newest on search_segments (newest, segment);
create index search_segments_oldest on search_segments (oldest, segment);
create index search_segments_open on search_segments (segment) where newest is null;

insert into search_segments
select id >> 12, pg_current_xact_id(), min(created_at), max(created_at) from messages
where id >> 12 < (select last_value >> 12 from messages_id_seq) group by 1;
