import type { Clock } from '../clock.js'
import type { Tx } from '../db/index.js'
import { emit } from './emit.js'

export interface Notice {
  /** What it is about, past tense: `scheduled_message.skipped`. */
  kind: string
  /** For people to read. */
  text: string
  [detail: string]: unknown
}

/** Tells one person something in the app: whoever has it open sees it at once. */
export function tellPerson(tx: Tx, ctx: { clock: Clock }, user_id: number, notice: Notice) {
  return emit(tx, ctx, { user_id }, { type: 'notice.created', payload: { user_id, ...notice } })
}
