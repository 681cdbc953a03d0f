import { noticeCreated, type PayloadOf } from '@parley/contract'
import type { Clock } from '../clock.js'
import type { Tx } from '../db/index.js'
import { emit } from './emit.js'

type Notice = Omit<PayloadOf<typeof noticeCreated>, 'user_id'>

/** Gives one person a notice in the app: live where it is open, and in the list of notices. */
export function notifyPerson(tx: Tx, ctx: { clock: Clock }, user_id: number, notice: Notice) {
  return emit(tx, ctx, { user_id }, noticeCreated, { user_id, ...notice })
}
