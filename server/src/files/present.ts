import type { File, FileType, VoiceContent } from '@parley/contract'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { mediaTypeOf } from '../platform/storage/media-type.js'
import { DAY_MS } from '../platform/time.js'
import { type FileRow, hasPerimeter, listFilesOf } from './queries.js'

const LINK_MS = 7 * DAY_MS
/** A link is handed out again until less than a day of it is left. */
const REUSED_MS = 6 * DAY_MS
const SPREAD = 2_654_435_761

/** When the present link of a file ends: the same for everybody, another phase for each file. */
export function linkEnd(file_id: number, now_ms: number): Date {
  const phase_ms = (file_id * SPREAD) % REUSED_MS
  const issued_ms = Math.floor((now_ms - phase_ms) / REUSED_MS) * REUSED_MS + phase_ms
  return new Date(issued_ms + LINK_MS)
}

/** The download operation of a file. */
export function downloadUrl({ config }: Pick<Context, 'config'>, fileId: number): string {
  return `${config.public_url}${config.api_prefixes[0]}/files/${fileId}`
}

/** A link straight to the storage; the download operation where there is a perimeter, or files are encrypted. */
async function urlOf(ctx: Context, row: FileRow, perimeter: boolean): Promise<string> {
  if (perimeter || ctx.storage.sealed) return downloadUrl(ctx, row.id)
  return ctx.storage.signedUrl(row.key, {
    expires_at: linkEnd(row.id, ctx.clock.now()),
    filename: row.name,
    content_type: mediaTypeOf(row.name),
    disposition: row.file_type === 'file' ? 'attachment' : 'inline',
  })
}

export async function presentFile(ctx: Context, row: FileRow, perimeter: boolean): Promise<File> {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    file_type: row.file_type as FileType,
    url: await urlOf(ctx, row, perimeter),
    width: row.width,
    height: row.height,
    measured_width: row.measured_width,
    measured_height: row.measured_height,
    duration_ms: row.duration_ms,
    size: row.size,
  }
}

/** The metadata of a voice file; null where there is none. */
export function voiceContent(rows: readonly FileRow[]): VoiceContent | null {
  const voice = rows.find(({ file_type }) => file_type === 'voice')
  if (!voice) return null
  const { duration_ms, waveform, transcript } = voice
  return { duration_ms: duration_ms ?? 0, waveform: waveform ?? '', transcript }
}

export interface Attached {
  files: File[]
  voice_content: VoiceContent | null
}

export async function presentFiles(
  ctx: Context,
  rows: readonly FileRow[],
  perimeter: boolean,
): Promise<Attached> {
  const files = await Promise.all(rows.map((row) => presentFile(ctx, row, perimeter)))
  return { files, voice_content: voiceContent(rows) }
}

async function load(ctx: Context, db: Db, column: 'message_id' | 'draft_id', ids: readonly number[]) {
  const byOwner = new Map<number, FileRow[]>()
  if (ids.length === 0) return new Map<number, Attached>()
  for (const row of await listFilesOf(db, column, ids)) {
    const id = row[column] as number
    byOwner.set(id, [...(byOwner.get(id) ?? []), row])
  }
  if (byOwner.size === 0) return new Map<number, Attached>()
  const perimeter = await hasPerimeter(db)
  const entries = [...byOwner].map(
    async ([id, rows]) => [id, await presentFiles(ctx, rows, perimeter)] as const,
  )
  return new Map(await Promise.all(entries))
}

/** The files of a page of messages, by message, in one query; a message without files is not in the map. */
export function loadFiles(
  ctx: Context,
  db: Db,
  messageIds: readonly number[],
): Promise<Map<number, Attached>> {
  return load(ctx, db, 'message_id', messageIds)
}

/** The same for drafts. */
export function loadDraftFiles(
  ctx: Context,
  db: Db,
  draftIds: readonly number[],
): Promise<Map<number, Attached>> {
  return load(ctx, db, 'draft_id', draftIds)
}
