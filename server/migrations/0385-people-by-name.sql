-- People in the order in which they are looked up: people before bots, then by name.
create index users_look_up on users ((case when bot then '1' else '0' end
  || lower(coalesce(first_name || ' ', '') || coalesce(last_name || ' ', '') || nickname)), id)
  where deleted_at is null and not suspended;

-- What begins with each of these words: a word of the name, or of another field of a person. Empty where they hold neither
-- letters nor digits.
create function search_prefixes(prefixes text[]) returns tsquery language plpgsql immutable strict parallel safe
set search_path from current as $$
declare
  prefix text;
  words text[];
  last int;
  result tsquery := '';
begin
  foreach prefix in array prefixes loop
    words := string_to_array(search_clean(left(prefix, 1000)), ' ');
    last := cardinality(words);
    for n in 1 .. last loop
      continue when words[n] = '';
      result := result && format(case when n = last then '''=%1$s'':* | ''#%1$s'':*' else '''=%1$s'' | ''#%1$s''' end,
        left(words[n], 100))::tsquery;
    end loop;
  end loop;
  return result;
end $$;
