import type { BotUpdateRequest } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'

export type SignInChange = Pick<BotUpdateRequest, 'oauth_client' | 'promo'>

/** Sign-in on behalf of employees, and the page that offers it; gives a client secret where one was made. */
export async function changeSignIn(
  _tx: Tx,
  _ctx: Context,
  _actor: Actor,
  _botId: number,
  _change: SignInChange,
): Promise<{ client_secret?: string }> {
  return {}
}
