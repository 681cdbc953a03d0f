-- Lists of somebody in very many chats and threads are read from the newest rows of the workspace.
create index threads_active on threads (updated_at, id);
create index mentions_newest on mentions (message_id) include (chat_id, tag_id) where user_id is null;
