import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'

/** What has to happen in the same transaction as a change of a bot; `app.ts` says who does it. */
export interface BotReactions {
  /** An empty address means that nothing is sent any more. */
  urlChanged(tx: Tx, ctx: Context, botId: number, url: string): Promise<void>
  deleted(tx: Tx, botId: number): Promise<void>
}
