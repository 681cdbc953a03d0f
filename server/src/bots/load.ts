import type { Actor } from '../platform/actor.js'
import type { Db } from '../platform/db/index.js'
import { ensure, found, type Verdict } from '../platform/problem.js'
import { type BotRow, findBotFor } from './queries.js'
import { type Access, accessOf, mayEdit, mayManage } from './rules.js'

export interface LoadedBot {
  row: BotRow
  access: Access
}

async function load(db: Db, actor: Actor, botId: number, may: (access: Access) => Verdict, act: string) {
  const row = found(await findBotFor(db, actor, botId), { key: 'id', value: botId })
  const access = accessOf(actor, row)
  ensure(may(access), act, { type: 'Bot', id: row.user_id })
  return { row, access }
}

/** What the actor may do with a bot; nothing where there is none. */
export async function findBotAccess(db: Db, actor: Actor, botId: number): Promise<Access> {
  const row = await findBotFor(db, actor, botId)
  return row ? accessOf(actor, row) : 'none'
}

/** The bot for somebody who may edit it: 404 where there is none, 403 where it is closed. */
export function loadEditable(db: Db, actor: Actor, botId: number, act: string): Promise<LoadedBot> {
  return load(db, actor, botId, mayEdit, act)
}

/** The bot for somebody who may manage its tokens. */
export function loadManaged(db: Db, actor: Actor, botId: number, act: string): Promise<LoadedBot> {
  return load(db, actor, botId, mayManage, act)
}
