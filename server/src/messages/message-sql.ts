/**
 * A hot path: messages become JSON inside the statement that reads them, so that a page of fifty costs Node nothing
 * but passing text on. Files are the exception, as their links are signed here: a message that has some carries a
 * mark, which `withFiles` replaces.
 */
import type { Message } from '@parley/contract'
import { CompiledQuery } from 'kysely'
import { otherSideSql } from '../chats/personal.js'
import { linkEnd, presentFiles } from '../files/present.js'
import { type FileRow, hasPerimeter } from '../files/queries.js'
import type { Context } from '../platform/context.js'
import { read } from '../platform/db/index.js'
import { timeSql } from '../platform/db/json-sql.js'
import { DAY_MS } from '../platform/time.js'

/** What a chat's messages belong to, as the viewer sees it, to be joined with `chats c`. */
export function entitySql(viewer: string): string {
  return `lateral (select
    case c.kind when 'thread' then 'thread' when 'personal' then 'user' else 'discussion' end as entity_type,
    case c.kind
      when 'thread' then (select id from threads where chat_id = c.id)
      when 'personal' then ${otherSideSql(viewer)}
      else c.id end as entity_id) e`
}

/** What is in the row of `messages m`, by `users u`, as fields of JSON: those before the thread, and those after it. */
const rowFields = (appUrl: string) => [
  `',"chat_id":' || m.chat_id || ',"root_chat_id":' || m.root_chat_id
    || ',"content":' || to_json(m.content)::text || ',"user_id":' || m.user_id
    || ',"created_at":"' || ${timeSql('m.created_at')}
    || '","url":"' || ${appUrl} || '/chats/' || m.chat_id || '?message=' || m.id || '"'
    || ',"buttons":' || coalesce(m.buttons::text, 'null')`,
  `',"forwarding":' || coalesce(m.forwarding::text, 'null')
    || ',"parent_message_id":' || coalesce(m.parent_message_id::text, 'null')
    || case when u.bot then ',"display_avatar_url":' || coalesce(to_json(m.display_avatar_url)::text, 'null')
        || ',"display_name":' || coalesce(to_json(m.display_name)::text, 'null') else '' end
    || ',"changed_at":"' || ${timeSql('m.changed_at')}
    || '","deleted_at":' || case when m.deleted_at is null then 'null' else '"' || ${timeSql('m.deleted_at')} || '"' end
    || ',"system":' || case when m.system then 'true' else 'false' end`,
]

/** The fields of a message that are in its row, as JSON text without braces. */
export const messageRowSql = (appUrl: string) => [`'"id":' || m.id`, ...rowFields(appUrl)].join(' || ')

/** One message as JSON text, from `messages m`, `users u`, `threads t` (the one under it) and `e`. */
export function messageJsonSql(appUrl: string): string {
  const [first, last] = rowFields(appUrl)
  return `'{"id":' || m.id || ',"entity_type":"' || e.entity_type || '","entity_id":' || e.entity_id || ${first}
    || ',"thread":' || case when t.id is null then 'null' else '{"id":' || t.id || ',"chat_id":' || t.chat_id || '}' end || ${last}
    || case when m.has_files then ',' || chr(1) || m.id || chr(1) || '}' else ',"files":[],"voice_content":null}' end`
}

/** Between these control characters, which JSON text never holds unescaped, is the id of a message with files. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is one
const MARKED = /\u0001(\d+)\u0001/g

/** Puts the files of the marked messages in. `until_ms` is when the first of their links must be signed again. */
export async function withFiles(
  ctx: Context,
  json: string,
  files: readonly FileRow[] | null,
  perimeter?: boolean,
): Promise<{ json: string; until_ms: number }> {
  if (!json.includes('\u0001')) return { json, until_ms: Number.POSITIVE_INFINITY }
  const secured = perimeter ?? (await hasPerimeter(ctx.db))
  const byMessage = new Map<number, FileRow[]>()
  for (const file of files ?? []) {
    const id = file.message_id as number
    byMessage.set(id, [...(byMessage.get(id) ?? []), file])
  }
  const texts = new Map<string, string>()
  for (const [, id = ''] of json.matchAll(MARKED)) {
    const attached = await presentFiles(ctx, byMessage.get(Number(id)) ?? [], secured)
    texts.set(id, JSON.stringify(attached).slice(1, -1))
  }
  const now = ctx.clock.now()
  const ends = (files ?? []).map(({ id }) => linkEnd(id, now).getTime() - LINK_TAIL_MS)
  return {
    json: json.replaceAll(MARKED, (_, id: string) => texts.get(id) ?? ''),
    until_ms: Math.min(Number.POSITIVE_INFINITY, ...ends),
  }
}

/** A link is replaced when less than this is left of it. */
const LINK_TAIL_MS = DAY_MS

interface Read {
  id: number
  json: string
  files: FileRow[] | null
}

/** These messages as the viewer sees them, by id, as JSON text; deleted ones come emptied. */
export async function readMessagesJson(
  ctx: Context,
  viewerId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const statement = CompiledQuery.raw(
    `select m.id, ${messageJsonSql('$2')} as json,
       case when m.has_files then (
         select json_agg(f order by f.position) from files f where f.message_id = m.id) end as files
     from messages m join chats c on c.id = m.chat_id join users u on u.id = m.user_id
       left join threads t on t.message_id = m.id cross join ${entitySql('$1::bigint')}
     where m.id = any((select $3::bigint[])::bigint[])`,
    [viewerId, ctx.config.app_url, ids],
  )
  const rows = await read<Read>(ctx.db, statement)
  const perimeter = rows.some(({ files }) => files) && (await hasPerimeter(ctx.db))
  const texts = rows.map(
    async ({ id, json, files }) => [id, (await withFiles(ctx, json, files, perimeter)).json] as const,
  )
  return new Map(await Promise.all(texts))
}

/** These messages as the viewer sees them, in the order of the ids; ids that name nothing are left out. */
export async function presentMessages(
  ctx: Context,
  viewerId: number,
  ids: readonly number[],
): Promise<Message[]> {
  const texts = await readMessagesJson(ctx, viewerId, ids)
  return ids.flatMap((id) => {
    const text = texts.get(id)
    return text === undefined ? [] : [JSON.parse(text) as Message]
  })
}
