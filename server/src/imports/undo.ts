import { dropAvatarJob, eraseFilesJob, workspaceImported } from '@parley/contract'
import { deleteArchived } from '../audit/archive-queries.js'
import { deleteImportedBots } from '../bots/import-queries.js'
import { refreshChats } from '../chats/activity-queries.js'
import { deleteImportedChats } from '../chats/import-queries.js'
import { deleteImportedProperties, deleteValuesOf } from '../custom-properties/import-queries.js'
import { deletePortableDrafts } from '../drafts/portable-queries.js'
import { dropFiles, dropFilesOf } from '../files/attach.js'
import { deleteMarks, deleteMessages } from '../messages/erase-queries.js'
import { listMessagePlaces } from '../messages/import-queries.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { deletePreviews } from '../previews/queries.js'
import { listFileIds } from '../retention/queries.js'
import { deleteImportedTags } from '../tags/import-queries.js'
import { deleteTagsOf } from '../tags/portable-queries.js'
import { deletePortableTasks } from '../tasks/portable-queries.js'
import { deleteImportedPeople } from '../users/import-queries.js'
import { deletePortableTraces } from '../users/portable-queries.js'
import { whileAlone } from './alone.js'
import { findImport, findOpenImport, type ImportRow, updateImport } from './queries.js'
import { ImportError } from './run-state.js'
import { deleteKeys, deleteOtherKeys, listMade, listUsedChats } from './undo-queries.js'

const BATCH = 1000

type Remove = (tx: Tx, ctx: Context, ids: readonly number[]) => Promise<unknown>

async function removeMessages(tx: Tx, ctx: Context, ids: readonly number[]) {
  const chats = [...new Set([...(await listMessagePlaces(tx, ids)).values()].map(({ chat_id }) => chat_id))]
  await deleteMarks(tx, ids)
  const pictures = await deletePreviews(tx, ids)
  if (pictures.length > 0) await enqueue(tx, ctx, eraseFilesJob, { keys: pictures })
  await dropFiles(tx, ctx, await listFileIds(tx, ids))
  await deleteMessages(tx, ids)
  await refreshChats(tx, chats)
}

async function removeDrafts(tx: Tx, ctx: Context, ids: readonly number[]) {
  for (const draft_id of ids) await dropFilesOf(tx, ctx, { draft_id })
  await deletePortableDrafts(tx, ids)
}

async function removePeople(tx: Tx, ctx: Context, ids: readonly number[]) {
  await deleteValuesOf(tx, ids)
  await deleteTagsOf(tx, ids)
  await deletePortableTraces(tx, ids)
  await deleteImportedBots(tx, ids)
  for (const name of await deleteImportedPeople(tx, ids)) await enqueue(tx, ctx, dropAvatarJob, { name })
}

/** From what names others to what is named. */
const STEPS: readonly [kind: string, remove: Remove][] = [
  ['draft', removeDrafts],
  ['task', (tx, _ctx, ids) => deletePortableTasks(tx, ids)],
  ['message', removeMessages],
  ['thread', (tx, _ctx, ids) => deleteImportedChats(tx, ids)],
  ['chat', (tx, _ctx, ids) => deleteImportedChats(tx, ids)],
  ['property', (tx, _ctx, ids) => deleteImportedProperties(tx, ids)],
  ['tag', (tx, _ctx, ids) => deleteImportedTags(tx, ids)],
  ['person', removePeople],
]

/** Takes out everything that an import made, where nobody has written in its chats since. Can be broken off and run again. */
export function undoImport(ctx: Context, actor: Actor, importId: number): Promise<ImportRow> {
  return whileAlone(ctx, () => undoAlone(ctx, actor, importId))
}

async function undoAlone(ctx: Context, actor: Actor, importId: number): Promise<ImportRow> {
  const row = await findImport(ctx.db, importId)
  if (!row) throw new ImportError(`There is no import ${importId}.`)
  if (row.state === 'undone') return row
  const open = await findOpenImport(ctx.db)
  if (open && open.id !== importId) throw new ImportError(`Import ${open.id} is not finished.`)
  const used = await listUsedChats(ctx.db, importId)
  if (used.length > 0)
    throw new ImportError(
      `Somebody has written since in ${used.map(({ id, name }) => `${name} (${id})`).join(', ')}.`,
    )
  await transaction(ctx, (tx) => updateImport(tx, importId, { state: 'undoing' }))
  for (const [kind, remove] of STEPS) {
    for (let ids = [0]; ids.length > 0; ) {
      ids = await listMade(ctx.db, importId, kind, BATCH)
      if (ids.length === 0) break
      await transaction(ctx, async (tx) => {
        await remove(tx, ctx, ids)
        await deleteKeys(tx, importId, kind, ids)
      })
    }
  }
  return transaction(ctx, async (tx) => {
    await deleteOtherKeys(tx, importId)
    await deleteArchived(tx, importId)
    await updateImport(tx, importId, { state: 'undone', finished_at: now(ctx.clock) })
    await emit(tx, ctx, actor, workspaceImported, { id: importId })
    return { ...row, state: 'undone' }
  })
}
