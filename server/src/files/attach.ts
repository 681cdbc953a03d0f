import { eraseFilesJob, type FileType, transcribeJob } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { Problem, problemItem } from '../platform/problem.js'
import { type CheckedFile, NO_UPLOAD } from './check-files.js'
import {
  columnOf,
  deleteFileRows,
  type FileRow,
  type FileTarget,
  idOf,
  insertFileRows,
  listFiles,
  listProtectedKeys,
  lockKeysForUse,
  rootChatOf,
  updatePosition,
  upsertLooseObjects,
} from './queries.js'
import { mayBeTranscribed } from './rules.js'

export { type CheckedFile, checkFiles, type FileInput } from './check-files.js'
export type { FileRow, FileTarget } from './queries.js'

/** Hangs checked files on a message or a draft, after those that hang there already. */
export async function attachFiles(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  target: FileTarget,
  checked: readonly CheckedFile[],
): Promise<FileRow[]> {
  return insertFiles(
    tx,
    ctx,
    target,
    checked.map((file) => ({ ...file, owner_id: actor.user_id })),
  )
}

/** The same files on another message or draft: a forward, or a scheduled message that is sent. Marks go along. */
export async function copyFiles(tx: Tx, ctx: Context, from: FileTarget, to: FileTarget): Promise<FileRow[]> {
  const rows = await listFiles(tx, from)
  const copies = rows.map((row) => ({
    owner_id: row.owner_id,
    key: row.key,
    name: row.name,
    file_type: row.file_type as FileType,
    size: row.size,
    width: row.width,
    height: row.height,
    measured_width: row.measured_width,
    measured_height: row.measured_height,
    duration_ms: row.duration_ms,
    waveform: row.waveform,
    transcript: row.transcript,
    protected: row.protected,
  }))
  return insertFiles(tx, ctx, to, copies)
}

/** Gives a message or a draft exactly these files; those that stay keep their ids. */
export async function replaceFiles(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  target: FileTarget,
  checked: readonly CheckedFile[],
): Promise<FileRow[]> {
  const before = await listFiles(tx, target)
  const left = [...before]
  const staying: FileRow[] = []
  const added: CheckedFile[] = []
  const order: (FileRow | CheckedFile)[] = checked.map((file) => {
    const index = left.findIndex((row) => sameFile(row, file))
    const [row] = index < 0 ? [] : left.splice(index, 1)
    if (row) staying.push(row)
    else added.push(file)
    return row ?? file
  })
  const leaving = left.map(({ id }) => id)
  // What is taken off a draft can be put back for a day.
  if ('draft_id' in target) await loosenFiles(tx, ctx, leaving)
  else await dropFiles(tx, ctx, leaving)
  const inserted = await attachFiles(tx, ctx, actor, target, added)
  const result = order.map((entry) => ('id' in entry ? entry : (inserted.shift() as FileRow)))
  for (const [position, row] of result.entries()) {
    if (row.position !== position) await updatePosition(tx, row.id, position)
  }
  return result.map((row, position) => ({ ...row, position }))
}

/** Takes files off; objects that nothing uses any more are erased after the commit. */
export async function dropFiles(tx: Tx, ctx: Context, ids: readonly number[]) {
  if (ids.length === 0) return
  const keys = await deleteFileRows(tx, ids)
  await upsertLooseObjects(tx, keys, now(ctx.clock))
  await enqueue(tx, ctx, eraseFilesJob, { keys })
}

const LOOSE_MS = 86_400_000

/** Takes files off; objects that nothing uses a day later are erased then. */
async function loosenFiles(tx: Tx, ctx: Context, ids: readonly number[]) {
  if (ids.length === 0) return
  await upsertLooseObjects(tx, await deleteFileRows(tx, ids), new Date(ctx.clock.now() + LOOSE_MS))
}

/** Takes off all files of a message or a draft. */
export async function dropFilesOf(tx: Tx, ctx: Context, target: FileTarget) {
  const rows = await listFiles(tx, target)
  await dropFiles(
    tx,
    ctx,
    rows.map(({ id }) => id),
  )
}

function sameFile(row: FileRow, file: CheckedFile): boolean {
  return (
    row.key === file.key &&
    row.name === file.name &&
    row.file_type === file.file_type &&
    row.width === file.width &&
    row.height === file.height &&
    row.duration_ms === file.duration_ms &&
    row.waveform === file.waveform
  )
}

async function insertFiles(
  tx: Tx,
  ctx: Context,
  target: FileTarget,
  files: readonly (CheckedFile & { owner_id: number })[],
): Promise<FileRow[]> {
  if (files.length === 0) return []
  const keys = [...new Set(files.map(({ key }) => key))].sort()
  const erased = await lockKeysForUse(tx, keys)
  if (erased.length > 0) {
    throw Problem.of(
      422,
      files.flatMap(({ key }, index) =>
        erased.includes(key)
          ? [problemItem('not_found', { key: `files.${index}.key`, value: key, message: NO_UPLOAD })]
          : [],
      ),
    )
  }
  const marked = await listProtectedKeys(tx, keys)
  const { length } = await listFiles(tx, target)
  const created_at = now(ctx.clock)
  const rows = files.map((file, index) => ({
    ...file,
    protected: file.protected || marked.has(file.key),
    [columnOf(target)]: idOf(target),
    chat_id: 'message_id' in target ? rootChatOf(target.message_id) : null,
    position: length + index,
    created_at,
  }))
  const inserted = await insertFileRows(tx, rows)
  if (ctx.transcriber && 'message_id' in target && inserted.some(mayBeTranscribed))
    await enqueue(tx, ctx, transcribeJob, { message_id: target.message_id })
  return inserted
}
