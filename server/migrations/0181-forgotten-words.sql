-- Words that no message has any more leave the list of words, in two steps, since somebody may be about to use one: a word
-- that is leaving is found as before, but whoever writes it adds it anew; later it goes, if still no message has it.
alter table search_words add column leaving_at timestamptz, add column leaving_xid xid8;
create index search_words_leaving on search_words (leaving_at) where leaving_at is not null;

create or replace function learn_words_of_new() returns trigger language plpgsql set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into search_words (word)
  select distinct said from fresh, unnest(search_words_in(content, file_names)) as said
  where not fresh.system
    and not exists (select from search_words known where known.word = said and known.leaving_at is null);
  return null;
end $$;

create or replace function learn_words_of_changed() returns trigger language plpgsql set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into search_words (word)
  select distinct said from unnest(search_words_in(new.content, new.file_names)) as said
  where not exists (select from search_words known where known.word = said and known.leaving_at is null);
  return null;
end $$;

-- Those of the words that no message has. Always by the index: making the words of every message is expensive.
create function search_words_unused(words text[]) returns setof text language sql stable set search_path from current
set enable_seqscan = off set enable_indexscan = off as $$
  select word from unnest(words) as word
  where not exists (
    select from messages m
    where search_keys(m.content, m.file_names, m.chat_id, m.root_chat_id, m.user_id, m.id) && array[word]
      and m.deleted_at is null and not m.system)
$$;
