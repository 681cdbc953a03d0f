import type { Role } from '@parley/contract'
import { loadOpenViews } from '../forms/load.js'
import { type PendingSends, pressButton } from '../forms/press.js'
import { submitView } from '../forms/submit.js'
import { type Actor, actingFor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { found, Problem } from '../platform/problem.js'
import { findPerson } from './queries.js'

const NO_KEY = { request_token_id: null, request_key: null, request_hash: null }

async function personOf({ db }: Context, user_id: number): Promise<Actor> {
  const { role, bot, plan } = found(await findPerson(db, user_id), { key: 'user_id', value: user_id })
  if (bot)
    throw new Problem(400, 'invalid', { key: 'user_id', value: user_id, message: 'is a bot: name a person' })
  return actingFor(user_id, (role === 'guest' ? 'multi_guest' : role) as Role, plan as Actor['plan'])
}

export interface Press {
  user_id: number
  message_id: number
  row?: number
  column?: number
}

/** Presses a button in the name of a person. */
export async function pressAs(ctx: Context, press: Press, pending: PendingSends): Promise<string> {
  const { user_id, message_id, row = 0, column = 0 } = press
  const actor = await personOf(ctx, user_id)
  return pressButton(ctx, actor, message_id, { row, column }, NO_KEY, pending)
}

export interface Submit {
  user_id: number
  view_id?: string
  data: Record<string, unknown>
}

/** Sends a form in the name of a person: the one that is named, or the newest that is open. */
export async function submitAs(ctx: Context, { user_id, view_id, data }: Submit) {
  const actor = await personOf(ctx, user_id)
  const id = view_id ?? (await loadOpenViews(ctx, actor))[0]?.id
  if (id === undefined) {
    const message = 'no form is open for this person: let the bot open one after a press'
    throw new Problem(404, 'view_not_found', { key: 'view_id', message })
  }
  return submitView(ctx, actor, id, data, NO_KEY)
}
