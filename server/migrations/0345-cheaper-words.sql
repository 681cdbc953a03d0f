-- The same words of a text with less work, because every message is indexed by them: the table of letters with marks is
-- called for the few texts that have some, and empty words are dropped from the list instead of spaces from the text.
create or replace function search_words_in(content text, file_names text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  said text := concat_ws(' ', content, file_names);
  clean text := replace(lower(said), 'ё', 'е');
begin
  if clean ~ '[\u0300-\u036f\u00e0-\u017e\u1e00-\u1ef9]' then clean := search_fold(said); end if;
  if clean ~ '[^[:alnum:] ]' then clean := regexp_replace(clean, '[^[:alnum:] ]+', ' ', 'g'); end if;
  if length(clean) > 100 and clean ~ '[^ ]{101}' then
    clean := regexp_replace(clean, '([^ ]{100})[^ ]+', '\1', 'g');
  end if;
  return array_remove(string_to_array(clean, ' '), '');
end $$;

-- Records are written once and read once, whole: as text they need not be taken apart and put together for it.
drop index import_records_thread;
alter table import_records alter column body type json;
create index import_records_thread on import_records ((body ->> 'thread_of')) where kind = 'message' and body ->> 'thread_of' is not null;
