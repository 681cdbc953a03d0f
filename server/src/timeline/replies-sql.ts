import { timeSql } from '../platform/db/json-sql.js'
import { onlySql } from '../platform/db/only-sql.js'

/** The last messages that people and bots wrote in a chat. */
export const lastRepliesSql = (chatId: string, count: number) => `
  select l.id, l.user_id from messages l
  where ${onlySql('l.chat_id', chatId)} and l.deleted_at is null and not l.system
  order by l.chat_id desc, l.id desc limit ${count}`

/** The ids of the three people who replied last; those of the last twenty replies are looked at. */
const lastRepliersSql = (chatId: string) => `
  array(select user_id from (${lastRepliesSql(chatId, 20)}) late group by user_id order by max(id) desc limit 3)`

/** The fields of the thread `t` in this chat, which are the same for everybody, for `json_build_object`. */
export const threadFieldsSql = (chat: string) => `'id', t.id, 'chat_id', ${chat}.id,
  'replies_count', ${chat}.messages_count - ${chat}.removed_count - (
    select count(*) from messages d
    where d.chat_id = ${chat}.id and d.deleted_at is not null and d.number > ${chat}.removed_count),
  'last_reply_at', case when ${chat}.last_message_id is not null
    then ${timeSql(`${chat}.last_message_at`)} end,
  'last_replier_ids', ${lastRepliersSql(`${chat}.id`)}`

/** The message that `m` answers, as JSON; null where it answers none. */
export const QUOTED_SQL = `case when m.parent_message_id is not null then (
  select json_build_object('id', q.id, 'user_id', q.user_id, 'content', left(q.content, 300),
    'files_count', (select count(*) from files f where q.has_files and f.message_id = q.id),
    'deleted', q.deleted_at is not null)
  from messages q where q.id = m.parent_message_id) end`
