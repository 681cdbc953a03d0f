import type { OpenViewRequest } from '@parley/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { type Autocommit, type DB, type Db, read, type Tx } from '../platform/db/index.js'
import type { OwnKey } from '../platform/http/idempotency.js'

export type SubmitRow = Selectable<DB['view_submits']>
export type Form = Required<OpenViewRequest['view']>

export interface ViewRow extends Omit<Selectable<DB['views']>, 'form'> {
  form: Form
}

/** Where a bot receives presses and forms, which need no subscription; undefined where it has neither, is suspended, or hears nothing of the chat. */
export async function findDeliveryRoute(
  db: Db,
  botId: number,
  chatId: number | null,
): Promise<'webhook' | 'queue' | undefined> {
  const rows = await read(
    db,
    sql<{ sends: boolean; polls: boolean }>`
    select b.outgoing_url <> '' as sends, b.events_history_enabled as polls
    from bots b join users u on u.id = b.user_id and u.deleted_at is null and not u.suspended
    where b.user_id = ${botId} and (b.leash is null or exists (
      select from jsonb_array_elements(b.leash) as limits where leash_allows(limits, ${chatId})))`,
  )
  if (rows[0]?.sends) return 'webhook'
  return rows[0]?.polls ? 'queue' : undefined
}

/** Writes a press down; undefined where its Idempotency-Key was there already. */
export function insertTrigger(tx: Tx, trigger: Insertable<DB['triggers']>) {
  return tx
    .insertInto('triggers')
    .values(trigger)
    .onConflict((conflict) =>
      conflict.columns(['request_token_id', 'request_key']).where('request_key', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
}

export function findTriggerByKey(db: Db, { request_token_id, request_key }: OwnKey) {
  return db
    .selectFrom('triggers')
    .selectAll()
    .where('request_token_id', '=', request_token_id)
    .where('request_key', '=', request_key)
    .executeTakeFirst()
}

/** Marks the press as delivered, unless it already is. */
export async function markDelivered(db: Autocommit, triggerId: string, told_at: Date) {
  await db
    .updateTable('triggers')
    .set({ told_at })
    .where('id', '=', triggerId)
    .where('told_at', 'is', null)
    .execute()
}

export function lockTrigger(tx: Tx, botId: number, triggerId: string) {
  return tx
    .selectFrom('triggers')
    .selectAll()
    .where('id', '=', triggerId)
    .where('bot_id', '=', botId)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateTriggerUsed(tx: Tx, triggerId: string, used_at: Date) {
  await tx.updateTable('triggers').set({ used_at }).where('id', '=', triggerId).execute()
}

export async function insertView(tx: Tx, view: Omit<ViewRow, 'closed_at'>) {
  await tx
    .insertInto('views')
    .values({ ...view, form: JSON.stringify(view.form) })
    .execute()
}

/** Forms of this person that are open and not too old. */
export async function listOpenViews(db: Db, userId: number, opened_after: Date, count: number) {
  const rows = await db
    .selectFrom('views')
    .selectAll()
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .where('opened_at', '>', opened_after)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
  return rows as ViewRow[]
}

const openView = (db: Db, userId: number, viewId: string) =>
  db
    .selectFrom('views')
    .selectAll()
    .where('id', '=', viewId)
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)

export function findOpenView(db: Db, userId: number, viewId: string) {
  return openView(db, userId, viewId).executeTakeFirst() as Promise<ViewRow | undefined>
}

export function lockOpenView(tx: Tx, userId: number, viewId: string) {
  return openView(tx, userId, viewId).forUpdate().executeTakeFirst() as Promise<ViewRow | undefined>
}

/** Closes a form; false where it was closed before. */
export async function updateViewClosed(tx: Tx, viewId: string, closed_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('views')
    .set({ closed_at })
    .where('id', '=', viewId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertSubmit(tx: Tx, submit: Insertable<DB['view_submits']>) {
  await tx.insertInto('view_submits').values(submit).execute()
}

export function findSubmit(db: Db, submitId: string) {
  return db.selectFrom('view_submits').selectAll().where('id', '=', submitId).executeTakeFirstOrThrow()
}

export function findSubmitByKey(db: Db, { request_token_id, request_key }: OwnKey) {
  return db
    .selectFrom('view_submits')
    .selectAll()
    .where('request_token_id', '=', request_token_id)
    .where('request_key', '=', request_key)
    .executeTakeFirst()
}

/** Frees the idempotency key of a failed attempt for a later one. */
export async function releaseKey(tx: Tx, submitId: string) {
  const none = { request_token_id: null, request_key: null, request_hash: null }
  await tx.updateTable('view_submits').set(none).where('id', '=', submitId).execute()
}

export function findWaitingSubmit(db: Db, viewId: string, now: Date) {
  return db
    .selectFrom('view_submits')
    .select('id')
    .where('view_id', '=', viewId)
    .where('state', '=', 'waiting')
    .where('deadline_at', '>', now)
    .executeTakeFirst()
}

export interface SubmitOutcome {
  state: 'accepted' | 'rejected' | 'failed'
  errors?: Record<string, string>
}

/** Settles a try that still waits; undefined where it does not. */
export function settleSubmit(tx: Tx, submitId: string, { state, errors }: SubmitOutcome) {
  return tx
    .updateTable('view_submits')
    .set({ state, errors: errors ? JSON.stringify(errors) : null })
    .where('id', '=', submitId)
    .where('state', '=', 'waiting')
    .returningAll()
    .executeTakeFirst()
}

/** The try of a form of this bot that is to be answered through the API. */
export function lockQueuedSubmit(tx: Tx, viewId: string, submitId: string) {
  return tx
    .selectFrom('view_submits')
    .selectAll()
    .where('id', '=', submitId)
    .where('view_id', '=', viewId)
    .where('via', '=', 'queue')
    .forUpdate()
    .executeTakeFirst()
}

export function findViewOfBot(db: Db, botId: number, viewId: string) {
  return db
    .selectFrom('views')
    .select(['id', 'user_id', 'closed_at'])
    .where('id', '=', viewId)
    .where('bot_id', '=', botId)
    .executeTakeFirst()
}

export async function deleteOldViews(db: Autocommit, before: { triggers: Date; views: Date }) {
  await db.deleteFrom('triggers').where('created_at', '<', before.triggers).execute()
  await db.deleteFrom('views').where('opened_at', '<', before.views).execute()
}

export async function readForm(db: Db, viewId: string): Promise<Form> {
  const view = await db.selectFrom('views').select('form').where('id', '=', viewId).executeTakeFirstOrThrow()
  return view.form as Form
}
