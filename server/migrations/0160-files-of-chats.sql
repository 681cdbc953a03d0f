-- The chat whose files a file is among, that of a thread's parent message for a reply: a list of files by chat and kind is
-- one range of this index, however many messages there are.
alter table files add column chat_id bigint;
update files f set chat_id = m.root_chat_id from messages m where m.id = f.message_id;
create index files_of_chat on files (chat_id, file_type, id) where chat_id is not null;

-- What the content says, beside what the sender said.
alter table files add column measured_width int, add column measured_height int;
