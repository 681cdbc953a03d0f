-- What is said in a voice message, as text. It belongs to the file: forwarding copies it, deletion takes it along.
alter table files add column transcript text;

-- Search reads the names of files beside the text of a message; transcripts stand there with them.
create or replace function name_files() returns trigger language plpgsql set search_path from current as $$
begin
  update messages m set file_names = (
    select string_agg(concat_ws(' ', file.name, file.transcript), ' ' order by file.position)
    from files file where file.message_id = m.id)
  where m.id in (select message_id from changed);
  return null;
end $$;

create function name_transcribed_file() returns trigger language plpgsql set search_path from current as $$
begin
  update messages m set file_names = (
    select string_agg(concat_ws(' ', file.name, file.transcript), ' ' order by file.position)
    from files file where file.message_id = m.id)
  where m.id = new.message_id;
  return null;
end $$;
create trigger files_names_transcript after update of transcript on files
  for each row when (new.transcript is distinct from old.transcript) execute function name_transcribed_file();
