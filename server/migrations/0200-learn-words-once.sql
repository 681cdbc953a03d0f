-- Many messages at once say the same words over and over: each word is looked up once a statement, not once a message.
create or replace function learn_words_of_new() returns trigger language plpgsql set search_path from current
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  insert into search_words (word)
  select said from (
    select distinct said from fresh, unnest(search_words_in(content, file_names)) as said where not fresh.system
  ) spoken
  where not exists (select from search_words known where known.word = said and known.leaving_at is null);
  return null;
end $$;
