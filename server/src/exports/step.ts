import { randomUUID } from 'node:crypto'
import { addPiece, type ZipEntry } from '@parley/imports/write-zip'
import type { Updateable } from 'kysely'
import { upsertLooseObjects } from '../files/queries.js'
import type { Context } from '../platform/context.js'
import type { DB, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { DAY_MS } from '../platform/time.js'
import { insertEntries, insertPart } from './part-queries.js'
import { type ExportRow, updateExport } from './queries.js'

/** The file of an export is deleted after this long, also where its builder failed. */
const LEFT_MS = 8 * DAY_MS

export interface Step {
  ctx: Context
  row: ExportRow
  files: Files
}

type OpenEntry = ZipEntry & { chat_id: number | null }

/** Another builder has done this step; this one stops. */
export class Overtaken extends Error {}

/** Every file is a JSON array, indented by two. */
function indented(items: readonly object[]): string {
  return items.map((item) => `  ${JSON.stringify(item, null, 2).replaceAll('\n', '\n  ')}`).join(',\n')
}

/** The bytes that one step adds to the archive, and the files that they begin and end. */
export class Files {
  readonly bytes: Buffer[] = []
  readonly finished: OpenEntry[] = []

  constructor(public entry: OpenEntry | null) {}

  /** Makes this the file that is written to; a file that goes on is not begun again. */
  async open(name: string, chat_id: number | null) {
    if (this.entry?.name === name) return
    await this.close()
    this.entry = { name, chat_id, crc: 0, compressed: 0, size: 0 }
  }

  async add(items: readonly object[]) {
    const entry = this.entry as OpenEntry
    const before = entry.size === 0 ? '[\n' : ',\n'
    this.bytes.push(await addPiece(entry, before + indented(items), false))
  }

  async close() {
    if (!this.entry) return
    const end = this.entry.size === 0 ? '[]\n' : '\n]\n'
    this.bytes.push(await addPiece(this.entry, end, true))
    this.finished.push(this.entry)
    this.entry = null
  }
}

/** Puts the bytes of a step into the storage; noted first, so that a crash leaves nothing for ever. */
async function writePart(ctx: Context, row: ExportRow, bytes: Buffer): Promise<string> {
  const key = `exports/${row.id}/${row.parts}-${randomUUID()}`
  await upsertLooseObjects(ctx.autocommit, [key], new Date(ctx.clock.now() + LEFT_MS))
  await ctx.storage.write(key, bytes)
  return key
}

/** Ends a step: its bytes are in the storage already, and the place after it is kept with what else it changed. */
export async function save(
  ctx: Context,
  row: ExportRow,
  files: Files,
  change: Updateable<DB['exports']>,
  also?: (tx: Tx) => Promise<void>,
) {
  const bytes = Buffer.concat(files.bytes)
  const key = bytes.length > 0 ? await writePart(ctx, row, bytes) : null
  await transaction(ctx, async (tx) => {
    const next = {
      ...change,
      open_entry: files.entry ? JSON.stringify(files.entry) : null,
      parts: row.parts + (key ? 1 : 0),
      entries: row.entries + files.finished.length,
    }
    if (!(await updateExport(tx, row, next))) throw new Overtaken()
    if (key) await insertPart(tx, row.id, row.parts + 1, key)
    await insertEntries(tx, row.id, row.entries + 1, files.finished)
    await also?.(tx)
  })
}
