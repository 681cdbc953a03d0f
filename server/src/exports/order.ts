import { type ApiErrorItem, buildExportJob, type ExportRequest } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { Problem, problemItem } from '../platform/problem.js'
import { DAY_MS, parseTime } from '../platform/time.js'
import { findLastOrder, insertExport, listUnknownChats, lockExports } from './queries.js'

const AGAIN_AFTER_MS = 90_000
const DAYS_AT_MOST = 45
const DAYS_OF_CHATS_AT_MOST = 366

/** A day, whatever time of it was sent along. */
function readDay(text: string): Date | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ].*)?$/.exec(text.trim())
  return match?.[1] ? parseTime(match[1]) : undefined
}

interface Order {
  from_at: Date
  to_at: Date
  chat_ids: number[] | null
  webhook_url: string | null
  skip_chats_file: boolean
}

/** Both days belong to the period, so that from the first to the first is one day. */
function readPeriod(input: ExportRequest, chosen: boolean, faults: ApiErrorItem[]) {
  const days = (['start_at', 'end_at'] as const).map((key) => {
    const value = input[key]
    const day = readDay(value)
    if (value.trim() === '') faults.push(problemItem('blank', { key, message: BLANK }))
    else if (!day)
      faults.push(problemItem('invalid', { key, value, message: 'must be a day such as 2030-01-31' }))
    return day
  })
  const [start, end] = days
  if (!start || !end) return undefined
  const length = (end.getTime() - start.getTime()) / DAY_MS + 1
  const longest = chosen ? DAYS_OF_CHATS_AT_MOST : DAYS_AT_MOST
  if (length < 1 || length > longest) {
    const message = length < 1 ? 'must not lie before start_at' : `at most ${longest} days, got ${length}`
    faults.push(problemItem('invalid_date_range', { key: 'end_at', value: input.end_at, message }))
  }
  return { from_at: start, to_at: new Date(end.getTime() + DAY_MS) }
}

async function readOrder(ctx: Context, input: ExportRequest): Promise<Order> {
  const chat_ids = input.chat_ids?.length ? [...new Set(input.chat_ids)].sort((a, b) => a - b) : null
  const faults: ApiErrorItem[] = []
  const period = readPeriod(input, chat_ids !== null, faults)
  const { webhook_url = '', skip_chats_file = false } = input
  if (webhook_url !== '' && !(await ctx.outbound.check(webhook_url)).ok) {
    const message = 'must be an http or https address that this server may call'
    faults.push(problemItem('invalid_webhook_url', { key: 'webhook_url', value: webhook_url, message }))
  }
  const unknown = chat_ids ? await listUnknownChats(ctx.db, chat_ids) : []
  if (unknown.length > 0)
    faults.push(
      problemItem('not_found', { key: 'chat_ids', value: unknown, message: 'no chats have these ids' }),
    )
  if (!period || faults.length > 0) throw Problem.of(422, faults)
  return { ...period, chat_ids, webhook_url: webhook_url || null, skip_chats_file }
}

/** Orders an archive; it is built in the background, after those that were ordered before. */
export async function orderExport(ctx: Context, actor: Actor, input: ExportRequest): Promise<void> {
  const order = await readOrder(ctx, input)
  await transaction(ctx, async (tx) => {
    await lockExports(tx)
    const at = now(ctx.clock)
    const last = await findLastOrder(tx)
    const wait_ms = last ? last.getTime() + AGAIN_AFTER_MS - at.getTime() : 0
    if (wait_ms > 0) {
      const wait_s = Math.ceil(wait_ms / 1000)
      const message = `one export in ${AGAIN_AFTER_MS / 1000} seconds: try again in ${wait_s} s`
      throw new Problem(422, 'rate_limit', { message }, { 'Retry-After': String(wait_s) })
    }
    const id = await insertExport(tx, {
      ...order,
      user_id: actor.user_id,
      day: order.from_at,
      created_at: at,
    })
    await enqueue(tx, ctx, buildExportJob, { export_id: id })
  })
}
