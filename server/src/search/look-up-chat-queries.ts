import type { ChatMatch } from '@parley/contract'
import { type RawBuilder, sql } from 'kysely'
import { BY_ACTIVITY } from '../chats/activity-sql.js'
import { otherSideSql } from '../chats/personal.js'
import { openToSql } from '../chats/read-sql.js'
import { isEmployee } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { firstFull, fits, pageWithin, type Typed, WINDOW } from './look-up-queries.js'

export interface ChatMatchRow extends ChatMatch {
  /** What the list is sorted by: 1 for own chats and 0 for others, then the time of the last message. */
  rank: string
}

/** Which chats are looked up. */
export interface LookedUpChats extends Typed {
  /** Open chats alone, own or not. */
  open?: boolean | undefined
  archived?: boolean | undefined
}

/** The time of a rank. */
function timeOf(rank: string): string {
  const [, date, hour, minute, rest] = /^.(.{8})(..)(..)(.{8})$/.exec(rank) ?? []
  return `${date} ${hour}:${minute}:${rest?.slice(0, 2)}.${rest?.slice(2)}Z`
}

/** A personal chat goes by the name of the other side. */
const NAME = sql`case when c.kind = 'personal'
    then coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.nickname) else c.name end`

/** Chats `c` in which `me` is a member, one look-up for each: joined, a plan may read every chat, and every person. */
const own = (actor: Actor) => sql`chat_members me
    cross join lateral (select * from chats c where c.id = me.chat_id offset 0) c
    left join lateral (
      select * from users u where c.kind = 'personal' and u.id = ${sql.raw(otherSideSql('me.user_id'))} offset 0) u on true
    where me.user_id = ${actor.user_id} and c.kind <> 'thread'`

/** Open chats `c` of these; the membership is a value and no join, so that they come in the order of an index. */
const others = (actor: Actor, chats: RawBuilder<unknown>) => sql`${chats} cross join (
      select null::bigint as id, null::text as nickname, null::text as first_name, null::text as last_name) u
    cross join lateral (select (
      select m.user_id from chat_members m where m.chat_id = c.id and m.user_id = ${actor.user_id}) as user_id offset 0) me
    where ${openToSql(actor, 'c')}`

interface Part {
  /** Own chats are ranked as 1, others as 0. */
  rank: number
  /** Where to look for them, one after the other until the page is full. */
  sources: RawBuilder<unknown>[]
}

/** The parts of the list, first to last: own chats and then, for employees, open ones, or open ones alone. */
function partsOf(actor: Actor, { words, common, open }: LookedUpChats, next: RawBuilder<unknown>): Part[] {
  const mine = { rank: 1, sources: [own(actor)] }
  if (!isEmployee(actor)) return open ? [{ rank: 0, sources: [sql`${own(actor)} and c.public`] }] : [mine]
  const found = words
    ? sql`(select c.* from chat_search s cross join lateral (select * from chats c where c.id = s.chat_id offset 0) c
        where s.words @@ ${words}::tsquery) c`
    : sql`chats c`
  const belongs = open ? sql`true` : sql`me.user_id is null`
  const all = sql`${others(actor, found)} and ${belongs}`
  const sources = common ? [sql`${others(actor, next)} and ${belongs}`, all] : [all]
  return open ? [{ rank: 0, sources }] : [mine, { rank: 0, sources }]
}

/** Own chats and, for employees, open ones, or open ones alone; the next part is asked where the page is not full. */
export async function listChatMatchesFor(
  db: Db,
  actor: Actor,
  looked: LookedUpChats,
  paging: Paging,
): Promise<ChatMatchRow[]> {
  const named = fits(sql`${NAME} || ' ' || coalesce(u.nickname, '')`, looked.patterns)
  const state = sql`c.archived_at is ${sql.raw(looked.archived ? 'not null' : 'null')}`
  const { at, order, back } = paging.position
  const anchor = String(at?.value ?? '')
  const list = async (rank: number, within: Paging) => {
    const { where, orderBy, limit } = keyset(within, BY_ACTIVITY)
    const next = sql`(select * from chats c where ${openToSql(actor, 'c')} and ${state} and ${where}
      order by ${orderBy} limit ${WINDOW}) c`
    const part = partsOf(actor, looked, next).find((one) => one.rank === rank)
    const lists = (part?.sources ?? []).map(
      (from) => () =>
        read(
          db,
          sql<ChatMatchRow>`
          select c.id, c.kind, ${NAME} as name, c.public, u.id as personal_user_id, me.user_id is not null as member,
            ${sql.lit(String(rank))} || to_char(c.last_message_at, 'YYYYMMDDHH24MISSUS') as rank,
            coalesce((select r.members_count from chat_rosters r where r.chat_id = c.id), 0) as members_count
          from ${from} and ${state} and ${named} and ${where} order by ${orderBy} limit ${limit}`,
        ),
    )
    return firstFull(paging, lists)
  }
  const rows: ChatMatchRow[] = []
  for (const rank of (order === 'asc') !== back ? [0, 1] : [1, 0]) {
    const within = pageWithin(paging, rank, { group: Number(anchor.slice(0, 1)), value: timeOf(anchor) })
    if (within && rows.length <= paging.limit) rows.push(...(await list(rank, within)))
  }
  return rows
}
