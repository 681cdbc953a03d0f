import { extractMentions, rewriteUserMentions } from '@parley/contract'
import { mayAddBot } from '../chats/member-rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { insertMentions, listNamed, listNicknamesFor } from './mention-queries.js'

/** Turns `<@id>` into `@nickname`; ids that name nobody the author sees stay as typed. */
export async function normaliseMentions(db: Db, actor: Actor, content: string): Promise<string> {
  const ids = extractMentions(content).user_ids
  if (ids.length === 0) return content
  const rows = await listNicknamesFor(db, actor, ids)
  return rewriteUserMentions(content, new Map(rows.map(({ id, nickname }) => [id, nickname])))
}

/** The names that a text calls, lower case, one a line; empty where it calls nobody. */
export function calledNames(content: string): string {
  if (!content.includes('@')) return ''
  return [...new Set(extractMentions(content).names.map((name) => name.toLowerCase()))].join('\n')
}

/** Who is present, asked only where a text calls them. */
export function presentFor({ online }: Pick<Context, 'online'>, names: readonly string[]): number[] | null {
  return names.some((list) => list.includes('here')) ? online.active() : []
}

/** The same for one message. */
export async function writeMentions(
  tx: Tx,
  ctx: Context,
  message: { id: number; chat_id: number; user_id: number; content: string },
) {
  const names = calledNames(message.content)
  if (names === '') return
  const { id, chat_id, user_id } = message
  await insertMentions(tx, { id, chat_id, user_id }, names, presentFor(ctx, [names]))
}

export interface Mentioned {
  /** People, by name or by a tag they have. */
  user_ids: number[]
  /** Bots by name that this author may add to chats. */
  bot_ids: number[]
}

/** Who a text names, by nickname or by tag. `@all` and `@here` name nobody in particular. */
export async function findMentioned(db: Db, actor: Actor, content: string): Promise<Mentioned> {
  const { names } = extractMentions(content)
  if (names.length === 0) return { user_ids: [], bot_ids: [] }
  const lowered = names.map((name) => name.toLowerCase())
  const rows = await listNamed(db, actor, lowered)
  return {
    user_ids: rows.filter(({ bot }) => !bot).map(({ id }) => id),
    bot_ids: rows.filter((row) => row.bot && mayAddBot(actor, row)).map(({ id }) => id),
  }
}
