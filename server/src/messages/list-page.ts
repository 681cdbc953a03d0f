/**
 * A hot path: a page of messages is one prepared statement, whatever it holds; the latest page of a chat is kept as
 * bytes, and each use is proved fresh by the chat's version, which everything that a page shows moves.
 */
import { LRUCache } from 'lru-cache'
import { mayRead, type ReadableChat } from '../chats/rules.js'
import type { FileRow } from '../files/queries.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { microBatch } from '../platform/db/batch.js'
import { type Pool, rows } from '../platform/db/index.js'
import { type PageEnds, type Paging, paginateOf } from '../platform/http/page.js'
import { ensure, found } from '../platform/problem.js'
import { entitySql, messageJsonSql, withFiles } from './message-sql.js'

interface Access extends ReadableChat {
  /** Version and birth of the chat, and how its files are linked: a page made at the same ones is the page as it is now. */
  stamp: string
}

const PERIMETER = `(select perimeter <> '{}' from workspace)`
const STAMP = `c.version || ' ' || extract(epoch from c.created_at) || ' ' || ${PERIMETER}::text`

const ACCESS = `
  select a.n, ${STAMP} as stamp, c.kind, c.public, me.role as my_role, p.public as parent_public,
    mine.role as my_parent_role
  from unnest($1::bigint[], $2::bigint[]) with ordinality as a (chat_id, user_id, n)
  join chats c on c.id = a.chat_id
  left join chat_members me on me.chat_id = c.id and me.user_id = a.user_id
  left join threads t on t.chat_id = c.id and c.kind = 'thread'
  left join chats p on p.id = t.message_chat_id
  left join chat_members mine on mine.chat_id = p.id and mine.user_id = a.user_id`

interface PageRow {
  stamp: string
  ids: number[] | null
  json: string | null
  files: FileRow[] | null
  perimeter: boolean
  /** Whether messages lie where the cursor came from, or before the page of this number. */
  behind: boolean
}

type Sign = '<' | '<=' | '>' | '>='
const OPPOSITE = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const satisfies Record<Sign, Sign>

/** The statement of a page: which way it is read, what it compares with its anchor, how it is shown. */
function pageSql(way: 'asc' | 'desc', sign: Sign | null, order: 'asc' | 'desc'): string {
  const anchored = sign ? `and m.id ${sign} $6` : 'and $6::bigint is null'
  const behind = sign ? `m.id ${OPPOSITE[sign]} $6` : '$5::int > 0'
  return `
    with page as materialized (
      select m.*, row_number() over (order by m.id ${way}) as place from (
        select m.* from messages m where m.chat_id = $1 and m.deleted_at is null ${anchored}
        order by m.id ${way} limit $4::int + 1 offset $5) m
    )
    select ${STAMP} as stamp, ${PERIMETER} as perimeter,
      (select array_agg(id order by place) from page) as ids,
      (select string_agg(${messageJsonSql('$3')}, ',' order by m.id ${order})
        from page m join users u on u.id = m.user_id left join threads t on t.message_id = m.id
        where m.place <= $4::int) as json,
      (select json_agg(f order by f.message_id, f.position) from page m join files f on f.message_id = m.id
        where m.has_files and m.place <= $4::int) as files,
      exists (select from messages m where m.chat_id = $1 and m.deleted_at is null and ${behind}) as behind
    from chats c cross join ${entitySql('$2::bigint')} where c.id = $1`
}

function statementFor({ position }: Paging): string {
  const { order, back, at, inclusive } = position
  const way = back === (order === 'asc') ? 'desc' : 'asc'
  const sign = at ? (`${way === 'asc' ? '>' : '<'}${inclusive ? '=' : ''}` as const) : null
  return pageSql(way, sign, order)
}

/** The ids come in the order they were read, with one more than the page has. */
function endsOf(ids: readonly number[], { limit, position }: Paging, behind: boolean): PageEnds {
  const shown = ids.slice(0, limit)
  if (position.back) shown.reverse()
  const [top, bottom] = [shown[0], shown.at(-1)].map((id) => (id === undefined ? undefined : { id }))
  return { top, bottom, more: ids.length > limit, behind }
}

const CACHED_BYTES = 48 * 1024 * 1024

interface Kept {
  stamp: string
  /** The page as JSON: bytes are sent as they are, while text would be encoded for every answer. */
  body: Buffer
  until_ms: number
}

export interface MessagePages {
  /** The page as JSON; refuses those who may not read the chat. */
  read(actor: Actor, chatId: number, paging: Paging): Promise<Buffer>
}

export function createMessagePages(ctx: Context, pool: Pool): MessagePages {
  const latest = new LRUCache<string, Kept>({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ body }) => body.length + 200,
  })

  ctx.resets.add(() => latest.clear())

  const accessOf = microBatch<{ chat_id: number; user_id: number }, Access | undefined>(
    async (asked) => {
      const seen = await rows<Access & { n: number }>(pool, ACCESS, [
        asked.map(({ chat_id }) => chat_id),
        asked.map(({ user_id }) => user_id),
      ])
      const byPlace = new Map(seen.map((row) => [row.n, row]))
      return asked.map((_, index) => byPlace.get(index + 1))
    },
    { max: 200, inFlight: 2 },
  )

  async function load(actor: Actor, chatId: number, paging: Paging): Promise<Kept> {
    const values = [
      chatId,
      actor.user_id,
      ctx.config.app_url,
      paging.limit,
      paging.offset,
      paging.position.at?.id ?? null,
    ]
    const [page] = await rows<PageRow>(pool, statementFor(paging), values)
    const { stamp, ids, json, files, perimeter, behind } = page as PageRow
    const shown = await withFiles(ctx, json ?? '', files, perimeter)
    const paginate = JSON.stringify(paginateOf(paging, endsOf(ids ?? [], paging, behind)))
    const body = Buffer.from(`{"data":[${shown.json}],"meta":{"paginate":${paginate}}}`)
    return { stamp, body, until_ms: shown.until_ms }
  }

  return {
    async read(actor, chatId, paging) {
      const access = found(await accessOf({ chat_id: chatId, user_id: actor.user_id }), {
        key: 'chat_id',
        value: chatId,
      })
      ensure(mayRead(actor, access), 'read', { type: 'Chat', id: chatId })
      const { first, offset, limit, position } = paging
      if (!first || offset > 0 || position.order !== 'desc') return (await load(actor, chatId, paging)).body

      // Only a personal chat looks different from its two sides.
      const key = `${chatId}:${limit}:${access.kind === 'personal' ? actor.user_id : ''}`
      const kept = latest.get(key)
      if (kept && kept.stamp === access.stamp && ctx.clock.now() < kept.until_ms) return kept.body
      const page = await load(actor, chatId, paging)
      latest.set(key, page)
      return page.body
    },
  }
}
