import { randomUUID } from 'node:crypto'
import { type ApiErrorItem, viewClosed } from '@parley/contract'
import { eraseLater } from '../files/erase.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { ensureSameRequest, type OwnKey } from '../platform/http/idempotency.js'
import { Problem, problemItem } from '../platform/problem.js'
import { DAY_MS } from '../platform/time.js'
import { sendNow } from '../webhooks/send-now.js'
import { judgeAnswer } from './bot-answer.js'
import { readAnswers } from './check-answers.js'
import { isField } from './check-form.js'
import {
  type Form,
  findDeliveryRoute,
  findOpenView,
  findSubmit,
  findSubmitByKey,
  findWaitingSubmit,
  insertSubmit,
  lockOpenView,
  readForm,
  releaseKey,
  type SubmitOutcome,
  type SubmitRow,
  settleSubmit,
  updateViewClosed,
  type ViewRow,
} from './queries.js'
import { UNHEARD, viewExpiry } from './rules.js'
import { linkFiles, type SubmittedFiles } from './submit-files.js'
import { waitForAnswer } from './wait.js'

const WAIT_MS = { webhook: 3_000, queue: 5_000 }
const FILES_KEPT_MS = DAY_MS

const unsent = (message = 'The bot did not take the form') => new Problem(504, 'timeout', { message })

function checked(ctx: Context, view: ViewRow | undefined, viewId: string): ViewRow {
  if (!view) throw new Problem(404, 'view_not_found', { key: 'id', value: viewId })
  if (viewExpiry(view.opened_at).getTime() <= ctx.clock.now())
    throw new Problem(410, 'submit_expired', { key: 'id', value: viewId, message: 'The form has expired' })
  return view
}

interface Filled {
  answers: Record<string, unknown>
  keys: SubmittedFiles['keys']
}

async function readFilled(
  ctx: Context,
  actor: Actor,
  form: Form,
  data: Record<string, unknown>,
): Promise<Filled> {
  const { values, files, faults } = readAnswers(form, data)
  if (faults.length > 0) throw Problem.of(422, faults)
  const { keys, links } = await linkFiles(ctx, actor, files)
  const names = form.blocks.filter(isField).map(({ name }) => name)
  const answers = Object.fromEntries(names.map((name) => [name, links.get(name) ?? values.get(name)]))
  return { answers, keys }
}

/** Writes the try down before the bot hears of it. One try at a time: a second click sends nothing twice. */
function begin(
  ctx: Context,
  actor: Actor,
  viewId: string,
  via: 'webhook' | 'queue',
  filled: Filled,
  key: OwnKey,
) {
  return transaction(ctx, async (tx) => {
    const view = checked(ctx, await lockOpenView(tx, actor.user_id, viewId), viewId)
    const at = now(ctx.clock)
    if (await findWaitingSubmit(tx, viewId, at))
      throw new Problem(409, 'already_exists', {
        key: 'id',
        message: 'the form was sent already, and its bot is still at it',
      })
    const id = randomUUID()
    const deadline_at = new Date(at.getTime() + WAIT_MS[via])
    await insertSubmit(tx, {
      id,
      view_id: viewId,
      via,
      state: 'waiting',
      deadline_at,
      created_at: at,
      ...key,
    })
    await eraseLater(tx, filled.keys, new Date(at.getTime() + FILES_KEPT_MS))
    return { id, view }
  })
}

/** Closes a form on all clients of its person. */
export async function closeForm(
  tx: Tx,
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  view: { id: string; user_id: number },
) {
  if (!(await updateViewClosed(tx, view.id, now(ctx.clock)))) return
  const payload = { view_id: view.id, user_id: view.user_id }
  await emit(tx, ctx, actor, viewClosed, payload)
}

function settle(ctx: Context, actor: Actor, submitId: string, view: ViewRow, outcome: SubmitOutcome) {
  return transaction(ctx, async (tx) => {
    const row = await settleSubmit(tx, submitId, outcome)
    if (row?.state === 'accepted') await closeForm(tx, ctx, actor, view)
    return row ?? findSubmit(tx, submitId)
  })
}

async function tell(
  ctx: Context,
  actor: Actor,
  view: ViewRow,
  submitId: string,
  via: 'webhook' | 'queue',
  answers: Record<string, unknown>,
): Promise<SubmitRow> {
  const { bot_id, chat_id, callback_id, private_metadata } = view
  const payload = {
    type: ctx.config.view_submit_type,
    event: 'submit',
    callback_id,
    private_metadata,
    chat_id,
    user_id: actor.user_id,
    view_id: view.id,
    submit_id: submitId,
    data: answers,
    payload: answers,
  }
  const sent = await sendNow(ctx, {
    bot_id,
    chat_id,
    event_type: 'view_submit',
    payload,
    timeout_ms: WAIT_MS[via],
  })
  if (sent.state === 'queued') return waitForAnswer(ctx, submitId)
  return settle(ctx, actor, submitId, view, judgeAnswer(sent.outcome))
}

/** Error texts of the bot are shown under their fields; those of unknown fields, on top of the form. */
function botFaults(form: Form, errors: Record<string, string>): ApiErrorItem[] {
  const names = new Set(form.blocks.filter(isField).map(({ name }) => name))
  return Object.entries(errors).map(([name, message]) =>
    problemItem('displayed_error', { key: names.has(name) ? name : 'base', message }),
  )
}

function answered(form: Form, submit: SubmitRow): { status: 'accepted' } {
  if (submit.state === 'accepted') return { status: 'accepted' }
  if (submit.state === 'rejected')
    throw Problem.of(422, botFaults(form, submit.errors as Record<string, string>))
  throw unsent()
}

/** The try that came with the same key: its answer, or that of the bot it still waits for. */
async function sentBefore(ctx: Context, key: OwnKey): Promise<SubmitRow | undefined> {
  const known = key.request_key === null ? undefined : await findSubmitByKey(ctx.db, key)
  if (!known) return undefined
  ensureSameRequest(known, key)
  const submit = await waitForAnswer(ctx, known.id)
  if (submit.state !== 'failed') return submit
  await transaction(ctx, (tx) => releaseKey(tx, submit.id))
  return undefined
}

/** Hands what a person filled in to the bot, and gives what the bot says to it. */
export async function submitView(
  ctx: Context,
  actor: Actor,
  viewId: string,
  data: Record<string, unknown>,
  key: OwnKey,
): Promise<{ status: 'accepted' }> {
  const before = await sentBefore(ctx, key)
  if (before) return answered(await readForm(ctx.db, before.view_id), before)

  const open = checked(ctx, await findOpenView(ctx.db, actor.user_id, viewId), viewId)
  const filled = await readFilled(ctx, actor, open.form, data)
  const via = await findDeliveryRoute(ctx.db, open.bot_id, open.chat_id)
  if (!via) throw unsent(UNHEARD)
  const { id, view } = await begin(ctx, actor, viewId, via, filled, key)
  return answered(view.form, await tell(ctx, actor, view, id, via, filled.answers))
}
