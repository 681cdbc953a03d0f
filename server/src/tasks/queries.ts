import type { TaskStatus } from '@parley/contract'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { openChatSql, openToSql } from '../chats/read-sql.js'
import type { Actor } from '../platform/actor.js'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'
import type { Owner } from '../platform/db/only-sql.js'
import { opaqueId } from '../platform/db/opaque-sql.js'
import { ownersPageSql } from '../platform/http/owners-page-sql.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { seenBy } from '../users/queries.js'

/** A task with all that it shows. */
export interface TaskRow extends Selectable<DB['tasks']> {
  performer_ids: number[]
  /** Values of custom properties by property id. */
  properties: Record<string, string> | null
}

/** The task, and the actor's membership of its chat. */
export interface TaskFor extends TaskRow {
  chat_public: boolean
  in_chat: boolean
}

const HANGING = sql`
  array(select p.user_id from task_performers p where p.task_id = t.id order by p.user_id) as performer_ids,
  (select jsonb_object_agg(v.property_id, v.value) from task_properties v where v.task_id = t.id) as properties`

export async function listTaskRows(db: Db, ids: readonly number[]): Promise<TaskRow[]> {
  const rows = await read(
    db,
    sql<TaskRow>`
    select t.*, ${HANGING} from tasks t where t.id = any(${ids})`,
  )
  return rows
}

export async function findTaskFor(db: Db, actor: Actor, id: number): Promise<TaskFor | undefined> {
  const rows = await read(
    db,
    sql<TaskFor>`
    select t.*, ${HANGING}, coalesce(${openChatSql('c')}, false) as chat_public,
      exists (select from chat_members m where m.chat_id = t.chat_id and m.user_id = ${actor.user_id}) as in_chat
    from tasks t left join chats c on c.id = t.chat_id
    where t.id = ${id}`,
  )
  return rows[0]
}

/** Holds the task for this transaction; what it shows is read after that. */
export async function lockTaskFor(tx: Tx, actor: Actor, id: number): Promise<TaskFor | undefined> {
  await tx.selectFrom('tasks').select('id').where('id', '=', id).forUpdate().execute()
  return findTaskFor(tx, actor, id)
}

export interface TaskFilter {
  status?: TaskStatus
  author_id?: number
  chat_ids?: number[]
  performer_ids?: number[]
}

function fits({ status, author_id, performer_ids }: TaskFilter) {
  const parts = [sql`true`]
  if (status) parts.push(status === 'done' ? sql`t.done_at is not null` : sql`t.done_at is null`)
  if (author_id !== undefined) parts.push(sql`t.user_id = ${author_id}`)
  if (performer_ids?.length)
    parts.push(
      sql`exists (select from task_performers p where p.task_id = t.id and p.user_id = any(${performer_ids}))`,
    )
  return sql.join(parts, sql` and `)
}

/** The chats whose tasks are listed, and whether that of a task is one: one's own, or those that were named and are open to the actor. */
function chatsOf(actor: Actor, chatIds: number[] | undefined) {
  const mine = sql`select m.chat_id as id from chat_members m where m.user_id = ${opaqueId(actor.user_id)}`
  const owned = sql`(select true from chat_members m where m.user_id = ${actor.user_id} and m.chat_id = t.chat_id)`
  if (!chatIds) return { owners: mine, owned }
  const named = sql`select c.id from chats c where c.id = any(${chatIds}) and (${openToSql(actor, 'c')} or c.id in (${mine}))`
  return { owners: named, owned: sql`t.chat_id in (${named})` }
}

export async function listTaskIdsFor(
  db: Db,
  actor: Actor,
  filter: TaskFilter,
  paging: Paging,
): Promise<{ id: number }[]> {
  const page = keyset(paging, { id: sql`t.id` })
  const rows_read = paging.offset === 0 ? page.limit : sql`${paging.limit + 1 + paging.offset}::bigint`
  const some = (of: Owner, id = sql`t.id`) => {
    const { where, orderBy } = keyset(paging, { of, id })
    return sql`${fits(filter)} and ${where} order by ${orderBy} limit ${rows_read}`
  }
  const own = sql`${actor.user_id}::bigint`
  const inChats = ownersPageSql(paging, {
    ...chatsOf(actor, filter.chat_ids),
    owner: 't.chat_id',
    table: sql`tasks t`,
    id: sql`t.id`,
    where: fits(filter),
    rows: rows_read,
  })
  const outside = sql`
    union (select t.id from tasks t where t.chat_id is null and ${some(['t.user_id', own])})
    union (select t.id from task_performers mine join tasks t on t.id = mine.task_id
      where t.chat_id is null and ${some(['mine.user_id', own], sql`mine.task_id`)})`
  const rows = await read(
    db,
    sql<{ id: number }>`
    select t.id from ((${inChats}) ${filter.chat_ids ? sql`` : outside}) t
    order by ${page.orderBy} limit ${page.limit} offset ${page.offset}`,
  )
  return rows
}

/** Those of these people who can be given work: active, and in sight of the actor. */
export async function listPerformersFor(tx: Tx, actor: Actor, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u
    where u.id = any(${ids}) and u.deleted_at is null and not u.suspended and ${seenBy(actor)}
    order by u.id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function writePerformers(tx: Tx, taskId: number, ids: readonly number[]) {
  await tx
    .deleteFrom('task_performers')
    .where('task_id', '=', taskId)
    .where(sql<boolean>`user_id <> all(${ids})`)
    .execute()
  const rows = ids.map((user_id) => ({ task_id: taskId, user_id }))
  await tx
    .insertInto('task_performers')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findTimeZone(db: Db): Promise<string> {
  const workspace = await db.selectFrom('workspace').select('time_zone').executeTakeFirstOrThrow()
  return workspace.time_zone
}

export interface TaskChat {
  id: number
  kind: string
  archived_at: Date | null
  in_chat: boolean
}

/** The chat, and whether the actor is in it. */
export async function findChatForTask(tx: Tx, actor: Actor, chatId: number): Promise<TaskChat | undefined> {
  const { rows } = await sql<TaskChat>`
    select c.id, c.kind, c.archived_at,
      exists (select from chat_members m where m.chat_id = c.id and m.user_id = ${actor.user_id}) as in_chat
    from chats c where c.id = ${chatId}`.execute(tx)
  return rows[0]
}

export async function insertTask(tx: Tx, task: Insertable<DB['tasks']>): Promise<number> {
  const { id } = await tx.insertInto('tasks').values(task).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateTaskRow(tx: Tx, taskId: number, change: Updateable<DB['tasks']>) {
  await tx.updateTable('tasks').set(change).where('id', '=', taskId).execute()
}

export async function deleteTaskRow(tx: Tx, taskId: number) {
  await tx.deleteFrom('tasks').where('id', '=', taskId).execute()
}
