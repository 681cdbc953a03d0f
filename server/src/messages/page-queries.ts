/**
 * A hot path: a page of messages is one prepared statement, whatever it holds; who may read a chat, and what was added to a page that is
 * kept of it, are one statement for all who ask at once.
 */
import type { ReadableChat } from '../chats/rules.js'
import type { FileRow } from '../files/queries.js'
import { plainArray } from '../platform/db/array.js'
import { type Pool, rows } from '../platform/db/index.js'
import { onlySql } from '../platform/db/only-sql.js'
import type { Paging } from '../platform/http/page.js'
import { entitySql, messageJsonSql } from './message-sql.js'

const PERIMETER = `(select perimeter <> '{}' from workspace)`
/** How often the chat changed other than by newer messages, its birth, and how its files are linked. */
const BASE = `(c.version - c.appends) || ' ' || extract(epoch from c.created_at) || ' ' || ${PERIMETER}::text`

/** A control character that JSON text never holds unescaped. */
export const BETWEEN = '\u0002'

/** Which page of a chat is kept: with the same base and version it is the page as it is now. */
export interface PageStamp {
  base: string
  version: number
}

export interface AskedAccess {
  chat_id: number
  user_id: number
  limit: number
  /** The page that is kept; the newest message comes first. */
  kept: (PageStamp & { ids: readonly number[] }) | undefined
}

export interface AddedMessage {
  id: number
  /** With a mark for its files, which `withFiles` replaces. */
  json: string
  files: FileRow[] | null
}

export interface PageAccess extends ReadableChat, PageStamp {
  perimeter: boolean
  /** Messages newer than the kept page, the newest first; empty where that page has the same version or another base. */
  added: AddedMessage[]
}

const ACCESS = `
  select a.n, s.base, c.version, ${PERIMETER} as perimeter, c.kind, c.public, me.role as my_role,
    p.public as parent_public, mine.role as my_parent_role, added.id, added.json, added.files
  from unnest($1::bigint[], $2::bigint[], $4::int[], $5::text[], $6::bigint[], $7::bigint[]) with ordinality
    as a (chat_id, user_id, max, base, version, newest_id, n)
  join chats c on c.id = a.chat_id
  cross join lateral (select ${BASE} as base) s
  left join chat_members me on me.chat_id = c.id and me.user_id = a.user_id
  left join threads t on t.chat_id = c.id and c.kind = 'thread'
  left join chats p on p.id = t.message_chat_id
  left join chat_members mine on mine.chat_id = p.id and mine.user_id = a.user_id
  left join lateral (
    select m.id, ${messageJsonSql('$3')} as json,
      case when m.has_files then (
        select json_agg(f order by f.position) from files f where f.message_id = m.id) end as files
    from (
      select m.* from messages m
      where a.base = s.base and a.version < c.version
        and ${onlySql('m.chat_id', 'a.chat_id')} and m.deleted_at is null and m.id > a.newest_id
      order by m.chat_id desc, m.id desc limit a.max
    ) m join users u on u.id = m.user_id left join threads t on t.message_id = m.id
      cross join ${entitySql('a.user_id')}
  ) added on true
  order by a.n, added.id desc`

type AccessRow = Omit<PageAccess, 'added'> & { n: number } & (AddedMessage | { id: null })

/** Property by property: an object that is spread from another is read slowly. */
const accessOf = (row: AccessRow): PageAccess => ({
  base: row.base,
  version: row.version,
  perimeter: row.perimeter,
  kind: row.kind,
  public: row.public,
  my_role: row.my_role,
  parent_public: row.parent_public,
  my_parent_role: row.my_parent_role,
  added: [],
})

/** What each of these people is in the chat they ask for, and what their kept page lacks; undefined where there is no such chat. */
export async function findAccess(
  pool: Pool,
  appUrl: string,
  asked: readonly AskedAccess[],
): Promise<(PageAccess | undefined)[]> {
  const found = await rows<AccessRow>(pool, ACCESS, [
    plainArray(asked.map(({ chat_id }) => chat_id)),
    plainArray(asked.map(({ user_id }) => user_id)),
    appUrl,
    plainArray(asked.map(({ limit }) => limit)),
    asked.map(({ kept }) => kept?.base ?? null),
    plainArray(asked.map(({ kept }) => kept?.version ?? null)),
    plainArray(asked.map(({ kept }) => kept?.ids[0] ?? null)),
  ])
  const answers: (PageAccess | undefined)[] = asked.map(() => undefined)
  for (const row of found) {
    answers[row.n - 1] ??= accessOf(row)
    if (row.id !== null) answers[row.n - 1]?.added.push({ id: row.id, json: row.json, files: row.files })
  }
  return answers
}

export interface PageRow extends PageStamp {
  /** In the order they were read, with one more than the page has. */
  ids: number[] | null
  /** The messages in list order, with BETWEEN between them. */
  json: string | null
  files: FileRow[] | null
  perimeter: boolean
  /** Whether messages lie where the cursor came from, or before the page of this number. */
  behind: boolean
}

type Sign = '<' | '<=' | '>' | '>='
const OPPOSITE = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const satisfies Record<Sign, Sign>

const IN_CHAT = onlySql('m.chat_id', '$1')

/** The statement of a page: which way it is read, what it compares with its anchor, how it is shown. */
function pageSql(way: 'asc' | 'desc', sign: Sign | null, order: 'asc' | 'desc'): string {
  const anchored = sign ? `and m.id ${sign} $6` : 'and $6::bigint is null'
  const behind = sign ? `m.id ${OPPOSITE[sign]} $6` : '$5::int > 0'
  return `
    with page as materialized (
      select m.*, row_number() over (order by m.id ${way}) as place from (
        select m.* from messages m where ${IN_CHAT} and m.deleted_at is null ${anchored}
        order by m.chat_id ${way}, m.id ${way} limit $4::int + 1 offset $5) m
    )
    select ${BASE} as base, c.version, ${PERIMETER} as perimeter,
      (select array_agg(id order by place) from page) as ids,
      (select string_agg(${messageJsonSql('$3')}, chr(${BETWEEN.charCodeAt(0)}) order by m.id ${order})
        from page m join users u on u.id = m.user_id left join threads t on t.message_id = m.id
        where m.place <= $4::int) as json,
      (select json_agg(f order by f.message_id, f.position) from page m join files f on f.message_id = m.id
        where m.has_files and m.place <= $4::int) as files,
      (select true from messages m where ${IN_CHAT} and m.deleted_at is null and ${behind}
        order by m.chat_id, m.id limit 1) is true as behind
    from chats c cross join ${entitySql('$2::bigint')} where c.id = $1`
}

function statementFor({ position }: Paging): string {
  const { order, back, at, inclusive } = position
  const way = back === (order === 'asc') ? 'desc' : 'asc'
  const sign = at ? (`${way === 'asc' ? '>' : '<'}${inclusive ? '=' : ''}` as const) : null
  return pageSql(way, sign, order)
}

/** A page of a chat that is there, as the viewer sees it. */
export async function readPage(
  pool: Pool,
  appUrl: string,
  viewerId: number,
  chatId: number,
  paging: Paging,
): Promise<PageRow> {
  const { limit, offset, position } = paging
  const values = [chatId, viewerId, appUrl, limit, offset, position.at?.id ?? null]
  const [page] = await rows<PageRow>(pool, statementFor(paging), values)
  return page as PageRow
}
