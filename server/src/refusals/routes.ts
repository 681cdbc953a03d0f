import * as api from '@parley/contract'
import { findBotAccess } from '../bots/load.js'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import { findMessageFor } from '../messages/queries.js'
import { type Actor, isAdmin } from '../platform/actor.js'
import type { Db } from '../platform/db/index.js'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { findRefusal, type RefusalRow } from './queries.js'

/** Admins look into every token, editors of a bot into its tokens. */
async function isInCharge(db: Db, actor: Actor, { bot, user_id }: RefusalRow): Promise<boolean> {
  if (isAdmin(actor)) return true
  return bot && (await findBotAccess(db, actor, user_id)) !== 'none'
}

async function isSeen(db: Db, actor: Actor, type: string, id: number): Promise<boolean> {
  if (type === 'Chat') {
    const chat = await findChatFor(db, actor, id)
    return chat !== undefined && mayRead(actor, chat).allowed
  }
  if (type === 'Message') {
    const message = await findMessageFor(db, actor, id)
    return message !== undefined && mayRead(actor, message.chat).allowed
  }
  return type === 'User' || type === 'Bot'
}

async function objectFor(db: Db, actor: Actor, { object_type: type, object_id: id }: RefusalRow) {
  if (type === null || id === null) return null
  return (await isSeen(db, actor, type, id)) ? { type, id } : null
}

export function refusalRoutes(routes: Routes) {
  route(routes, api.getRefusal, async ({ ctx: { db }, actor, params }) => {
    const row = found(await findRefusal(db, params.request_id), { key: 'request_id' })
    found((await isInCharge(db, actor, row)) || null, { key: 'request_id' })
    const { request_id, operation, status, code, rule, user_id, token_id } = row
    const told = { request_id, operation, status, code, rule, user_id, token_id }
    const needs = row.needs as Record<string, never>
    const has = row.has as Record<string, never>
    const created_at = row.created_at.toISOString()
    return { data: { ...told, needs, has, object: await objectFor(db, actor, row), created_at } }
  })
}
