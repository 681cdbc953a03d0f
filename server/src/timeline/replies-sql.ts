import { onlySql } from '../platform/db/only-sql.js'

/** The last messages that people and bots wrote in a chat. */
export const lastRepliesSql = (chatId: string, count: number) => `
  select l.id, l.user_id from messages l
  where ${onlySql('l.chat_id', chatId)} and l.deleted_at is null and not l.system
  order by l.chat_id desc, l.id desc limit ${count}`

/** The three people who replied last, as JSON; those of the last twenty replies are looked at. */
export const lastRepliersSql = (chatId: string) => `
  (select json_agg(user_id order by latest desc) from (
    select user_id, max(id) as latest from (${lastRepliesSql(chatId, 20)}) late
    group by user_id order by latest desc limit 3) repliers)`
