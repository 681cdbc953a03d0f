import { CompiledQuery } from 'kysely'
import { memberSql } from '../chats/cards.js'
import type { ReadableChat } from '../chats/rules.js'
import { type Db, read } from '../platform/db/index.js'
import { onlySql } from '../platform/db/only-sql.js'
import { PAGE_COLUMNS, SHOWN_COLUMNS, SHOWN_PART, type ShownRow } from './shown-sql.js'

/** Where a page of a timeline lies. */
export type Place =
  | { kind: 'newest' }
  | { kind: 'before' | 'after' | 'around'; message_id: number }
  | { kind: 'at'; time: Date }
  | { kind: 'first_unread' }

export interface PlacedRow extends ReadableChat, ShownRow {
  /** Whether there is a message, or an id, that the page lies before, after or around. */
  anchored: boolean
  /** How many messages were found on either side, one more than the page has where there are others. */
  older: number
  newer: number
  /** The nearest message not before the anchor, else the nearest one before it. */
  nearest_id: number | null
}

/** How many messages a page has on either side of its anchor; all of it are older ones where there is none. */
export interface Sides {
  older: number
  newer: number
}

const IN_CHAT = onlySql('chat_id', 'v.chat_id')

/** The first message that is not earlier than a time: ids of a chat follow time, so the place is found by halving. */
const AT = `(
  with recursive halved (low, high, best) as (
    select first.id, last.id + 1, null::bigint
    from (select id from messages where ${IN_CHAT} and deleted_at is null order by chat_id, id limit 1) first
    cross join (select id from messages where ${IN_CHAT} and deleted_at is null order by chat_id desc, id desc limit 1) last
    union all
    select case when m.created_at < v.time then m.id + 1 else low end,
      case when m.created_at < v.time then high else (low + high) / 2 end,
      case when m.created_at >= v.time then m.id else best end
    from halved left join lateral (
      select id, created_at from messages where ${IN_CHAT} and deleted_at is null
        and id >= (low + high) / 2 and id < high order by chat_id, id limit 1) m on true
    where low < high)
  select min(best) from halved)`

const FIRST_UNREAD = `(
  select id from messages where ${IN_CHAT} and deleted_at is null and not system
    and id > chat.my_read_message_id order by chat_id, id limit 1)`

/** What a page lies before, after or around. */
const ANCHORS: Record<Place['kind'], string> = {
  newest: 'null::bigint',
  before: 'v.message_id',
  after: 'v.message_id',
  around: 'v.message_id',
  at: AT,
  first_unread: FIRST_UNREAD,
}

/** Messages on one side of the anchor, nearest first. Living messages and stubs have an index each, read by turns. */
function sideSql(condition: string, way: 'asc' | 'desc', count: string): string {
  const part = (state: string) => `(select ${PAGE_COLUMNS} from messages
    where ${IN_CHAT} and deleted_at is ${state} and ${condition} order by chat_id ${way}, id ${way} limit ${count} + 1)`
  return `
  select near.* from v cross join anchor a cross join lateral (
    select * from (${part('null')} union all ${part('not null')}) both_kinds order by id ${way} limit ${count} + 1) near`
}

const OLDER_COUNT = 'case when a.id is null then v.older + v.newer else v.older end'
const OLDER = sideSql(`id < coalesce(a.id, ${Number.MAX_SAFE_INTEGER})`, 'desc', OLDER_COUNT)
const NEWER = sideSql('id >= a.id', 'asc', 'v.newer')
const UPTO = sideSql('id <= a.id', 'desc', 'v.older')
const AFTER = sideSql('id > a.id', 'asc', 'v.newer')

/** The messages on either side, and of the page, as parts of a statement. */
function partsOf(sides: { older: string; newer?: string }): string {
  const parts = Object.entries(sides).map(([name, side]) => `${name} as materialized (${side})`)
  const page = [
    `(select *, id as place from older order by id desc limit (select ${OLDER_COUNT} from v cross join anchor a))`,
    sides.newer && '(select *, id as place from newer order by id limit (select newer from v))',
  ]
  return [...parts, `page as materialized (${page.filter(Boolean).join(' union all ')})`].join(', ')
}

/** Of the side that a page does not show, one message tells whether there is any. */
function sidesOf(kind: Place['kind']): { older: string; newer?: string } {
  if (kind === 'newest') return { older: OLDER }
  return kind === 'after' ? { older: UPTO, newer: AFTER } : { older: OLDER, newer: NEWER }
}

/** Values are hidden from the planner in a part of their own, so that it has no reason to plan the statement again for them. */
function placedSql(kind: Place['kind']): string {
  const sides = sidesOf(kind)
  const nearest = 'coalesce((select min(id) from newer), (select max(id) from older))'
  return `
with v as materialized (
  select $1::bigint as user_id, $2::bigint as chat_id, $3::int as older, $4::int as newer, $5::bigint as message_id,
    $6::timestamptz as time
), chat as materialized (
  select c.kind, c.public, me.role as my_role, me.read_message_id as my_read_message_id, p.public as parent_public,
    mine.role as my_parent_role
  from v join chats c on c.id = v.chat_id left join ${memberSql('c.id')} me on true
  left join lateral (select message_chat_id from threads where c.kind = 'thread' and chat_id = c.id offset 0) t on true
  left join chats p on p.id = t.message_chat_id left join ${memberSql('p.id')} mine on true
), anchor as materialized (
  select ${ANCHORS[kind]} as id from v cross join chat
), ${partsOf(sides)}, ${SHOWN_PART}
select chat.kind, chat.public, chat.my_role, chat.parent_public, chat.my_parent_role, a.id is not null as anchored,
  (select count(*) from older) as older, ${sides.newer ? '(select count(*) from newer)' : '0'} as newer,
  ${kind === 'newest' || kind === 'before' || kind === 'after' ? 'null::bigint' : nearest} as nearest_id,
  ${SHOWN_COLUMNS}
from chat cross join anchor a cross join shown`
}

const PLACED = Object.fromEntries(
  Object.keys(ANCHORS).map((kind) => [kind, placedSql(kind as Place['kind'])]),
) as Record<Place['kind'], string>

/** A page of a chat, which costs as much in a chat of a million messages as in one of ten; undefined where there is no such chat. */
export async function readPlaced(
  db: Db,
  viewerId: number,
  chatId: number,
  place: Place,
  sides: Sides,
): Promise<PlacedRow | undefined> {
  const values = [
    viewerId,
    chatId,
    sides.older,
    sides.newer,
    'message_id' in place ? place.message_id : null,
    place.kind === 'at' ? place.time : null,
  ]
  const rows = await read<PlacedRow>(db, CompiledQuery.raw(PLACED[place.kind], values))
  return rows[0]
}

const NAMED = `
with v as materialized (select $1::bigint as user_id), page as materialized (
  select m.*, named.place from unnest((select $2::bigint[])) with ordinality as named (id, place)
  cross join lateral (select ${PAGE_COLUMNS} from messages where id = named.id offset 0) m
), ${SHOWN_PART}
select ${SHOWN_COLUMNS} from shown`

/** These messages in this order; ids that name nothing are left out. */
export async function readNamed(db: Db, viewerId: number, ids: readonly number[]): Promise<ShownRow> {
  const rows = await read<ShownRow>(db, CompiledQuery.raw(NAMED, [viewerId, ids]))
  return rows[0] as ShownRow
}
