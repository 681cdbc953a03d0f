-- How many moves of `version` only added messages after all others of the chat: while `version - appends` stays the same, a
-- cached page is brought up to date by the messages that are newer than its own. A process of an older version moves `version`
-- alone, which makes the page be read again.
alter table chats add column appends bigint not null default 0;
