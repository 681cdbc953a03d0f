import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import type { Span } from './read.js'
import { NARROWED_CHATS, type Wanted, type WantedWord } from './wanted-queries.js'

export interface MessageFilter {
  chat_ids?: number[]
  user_ids?: number[]
  active?: boolean
  span: Span
}

const KEYS = sql`search_keys(m.content, m.file_names, m.chat_id, m.root_chat_id, m.user_id, m.id)`
const hasAny = (keys: readonly string[]) => sql`${KEYS} && ${keys}::text[]`
const hasAll = (keys: readonly string[]) => sql`${KEYS} @> ${keys}::text[]`
/** No quoted words, no condition: `@> '{}'` matches every row. */
const hasQuoted = ({ quoted }: Wanted) => (quoted.length > 0 ? [hasAll(quoted)] : [])
export const both = (parts: readonly RawBuilder<unknown>[]) => sql.join([...parts], sql` and `)
/** Of the segments with these keys. */
export const inSegments = (keys: RawBuilder<unknown>) => sql`${KEYS} && ${keys}`

/** Messages that the index holds: those that were not deleted, and are not the system's. */
export const LIVE = sql`m.deleted_at is null and not m.system`

const TEXT = sql`concat_ws(' ', m.content, m.file_names)`

function hasWord({ any, part }: WantedWord): RawBuilder<unknown> {
  return part === null ? hasAny(any) : sql`(search_fold(${TEXT}) like ${part} or ${hasAny(any)})`
}

/** Whether the text of each message has to be read, because a part is in too many words to look them up. */
export const readsTexts = ({ words }: Wanted) => words.some(({ part }) => part !== null)

/** Whether the index alone says which messages match. */
export const isPlain = (wanted: Wanted) => wanted.phrases.length === 0 && !readsTexts(wanted)

/** Whether the index itself leaves out most messages that the actor does not see, or did not ask for. */
export const isNarrowed = (wanted: Wanted, { chat_ids, user_ids }: MessageFilter) =>
  mayAskForChats(wanted) || Boolean(chat_ids?.length || user_ids?.length)

/** Whether the index can be asked for the chats of the actor. */
export const mayAskForChats = ({ chats }: Wanted) => chats.length <= NARROWED_CHATS

/** The chats and authors that are asked for, as far as the index knows them. */
function narrowed({ chat_ids, user_ids }: MessageFilter): RawBuilder<unknown>[] {
  const parts = []
  if (chat_ids?.length) parts.push(hasAny(chat_ids.map((id) => `#${id}`)))
  if (user_ids?.length) parts.push(hasAny(user_ids.map((id) => `@${id}`)))
  return parts
}

/** What the index is asked for; each part must hold. */
export function indexed(wanted: Wanted, filter: MessageFilter): RawBuilder<unknown>[] {
  const words = wanted.words.filter(({ part }) => part === null).map(hasWord)
  return [...hasQuoted(wanted), ...words, ...narrowed(filter)]
}

/** In the chats of the actor, by the index. */
export const inChats = ({ chats }: Wanted) => hasAny(chats)

/** In the chats of the actor, by the message itself. */
export function isMine({ user_id }: Actor): RawBuilder<unknown> {
  const mine = sql`(select chat_id from chat_members where user_id = ${user_id})`
  return sql`(m.chat_id in ${mine} or m.root_chat_id in ${mine})`
}

/** What is left to look at in each match. */
export function filtered(wanted: Wanted, filter: MessageFilter): RawBuilder<unknown>[] {
  const { active, span } = filter
  const parts: RawBuilder<unknown>[] = []
  if (span.from) parts.push(sql`m.created_at >= ${span.from}`)
  if (span.to) parts.push(sql`m.created_at <= ${span.to}`)
  if (active !== undefined) {
    parts.push(sql`m.root_chat_id in (
      select c.id from chats c where c.archived_at is ${sql.raw(active ? 'null' : 'not null')})`)
  }
  parts.push(...wanted.words.filter(({ part }) => part !== null).map(hasWord))
  if (wanted.phrases.length > 0) parts.push(sql`search_fold(${TEXT}) ~ all (${wanted.phrases}::text[])`)
  return parts
}

/** Points of the match `h`: its words as they are written, as forms, or as parts. */
export function pointsOf({ words, quoted, exact }: Wanted): RawBuilder<unknown> {
  const forms = [sql`said @> ${quoted}::text[]`, ...words.map((word) => sql`said && ${word.forms}::text[]`)]
  return sql`(
    select case when said @> ${exact}::text[] then 2 when ${both(forms)} then 1 else 0 end
    from (select search_words_in(m.content, m.file_names) as said from messages m where m.id = h.id offset 0) said)`
}
