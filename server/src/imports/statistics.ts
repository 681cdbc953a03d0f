import type { RecordKind } from '@parley/imports'
import type { Context } from '../platform/context.js'
import { analyzeMessages, analyzeTables } from './queries.js'

/** The tables that grow with records of a kind, and that requests read. */
const TABLES: Partial<Record<RecordKind | 'thread', readonly string[]>> = {
  person: ['users'],
  bot: ['users', 'bots'],
  tag_member: ['user_tags'],
  chat: ['chats'],
  chat_member: ['chat_members'],
  thread: ['chats', 'threads'],
  message: ['import_keys'],
  file: ['files'],
  reaction: ['reactions'],
}

/**
 * Lets the database plan the statements of the server anew, for tables as large as they are now. A plan made while a table was
 * small reads all of it, and autovacuum takes a minute to notice: sends took five times as long meanwhile.
 */
export async function refreshStatistics(ctx: Context, kind: RecordKind | 'thread') {
  const tables = TABLES[kind]
  // A check writes inside one transaction, which nobody else sees.
  if (!tables || ctx.tx) return
  await analyzeTables(ctx.autocommit, tables)
  if (kind === 'message') await analyzeMessages(ctx.autocommit)
}
