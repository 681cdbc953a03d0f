import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { isEmployee } from './rules.js'

/** A chat, by its alias, that employees read without being in it. `mayRead` in SQL; rights.test.ts compares the two. */
export function openChatSql(alias: 'c' | 'root'): RawBuilder<boolean> {
  return sql<boolean>`${sql.raw(`(${alias}.public and ${alias}.kind in ('conversation', 'channel'))`)}`
}

/** The same for this actor: no chat is open to a guest. */
export function openToSql(actor: Actor, alias: 'c' | 'root'): RawBuilder<boolean> {
  return isEmployee(actor) ? openChatSql(alias) : sql<boolean>`false`
}

/** Whether the actor may read the chat of message `m`, where `root` is that chat or the one its thread hangs in. */
export function readableSql(actor: Actor): RawBuilder<boolean> {
  return sql<boolean>`(${openToSql(actor, 'root')} or exists (
    select from chat_members me where me.user_id = ${actor.user_id} and me.chat_id in (m.chat_id, m.root_chat_id)))`
}
