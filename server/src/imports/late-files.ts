import { type FileRecord, type MessageRecord, plainText, renderText } from '@parley/imports'
import { bumpChats } from '../chats/activity-queries.js'
import { FILES_AT_MOST } from '../files/check-files.js'
import { type ImportedFile, insertImportedFiles, listAttachedKeys } from '../files/import-queries.js'
import { listImportedTexts, updateImportedTexts } from '../messages/import-queries.js'
import type { Tx } from '../platform/db/index.js'
import { mediaTypeOf } from '../platform/storage/media-type.js'
import { findObjects, listFresh, type StoredObject } from './object-queries.js'
import { findRecords, type RecordRow } from './queries.js'
import { type Run, timeOf } from './run-state.js'

export function fileTypeOf({ name, width }: StoredObject): string {
  if (width !== null) return 'image'
  const kind = mediaTypeOf(name)?.split('/')[0]
  return kind === 'audio' || kind === 'video' ? kind : 'file'
}

/** The line that stands in a message for a file that could not be had. */
export function lineOfMissing(id: string, file: FileRecord | undefined) {
  const { name = id, size = null } = file ?? {}
  return plainText(size === null ? `📎 ${name}` : `📎 ${name} (${size} bytes)`)
}

type Row = RecordRow<MessageRecord>

/** Files for messages that are there, and what the messages say without the lines that named them. */
export interface LateFiles {
  files: ImportedFile[]
  texts: { id: number; content: string }[]
  chat_ids: number[]
}

/** Files that this run could fetch, of messages that an earlier one wrote. */
export async function findLate(
  tx: Tx,
  run: Run,
  rows: readonly Row[],
  written: ReadonlyMap<string, number>,
): Promise<LateFiles> {
  const old = rows.filter(({ source_id, body }) => written.has(source_id) && body.files.length > 0)
  const fresh = await listFresh(tx, run.row.id, [...new Set(old.flatMap(({ body }) => body.files))])
  if (fresh.size === 0) return { files: [], texts: [], chat_ids: [] }
  const objects = await findObjects(tx, run.row, [...fresh])
  const records = await findRecords<FileRecord>(tx, 'file', [...fresh])
  const ids = old.map(({ source_id }) => written.get(source_id) as number)
  const attached = await listAttachedKeys(tx, ids)
  const said = new Map((await listImportedTexts(tx, ids)).map((message) => [message.id, message]))
  const files: ImportedFile[] = []
  const texts: LateFiles['texts'] = []
  const chatIds = new Set<number>()
  for (const { body, source_id, at } of old) {
    const message = said.get(written.get(source_id) as number)
    if (!message) continue
    const keys = attached.get(message.id) ?? []
    const late = without(
      body.files.flatMap((id) => objects.get(id) ?? []),
      keys,
    ).slice(0, FILES_AT_MOST - keys.length)
    if (late.length === 0) continue
    const place = { owner_id: message.user_id, message_id: message.id, created_at: timeOf(at) }
    for (const [index, object] of late.entries())
      files.push(fileOf(object, { ...place, position: keys.length + index }))
    texts.push({ id: message.id, content: withoutLines(message.content, late, records) })
    chatIds.add(message.chat_id)
  }
  return { files, texts, chat_ids: [...chatIds] }
}

/** Hangs the files on their messages, whose chats are locked. */
export async function attachLate(tx: Tx, { files, texts, chat_ids }: LateFiles) {
  if (texts.length === 0) return
  await insertImportedFiles(tx, files)
  await updateImportedTexts(tx, texts)
  await bumpChats(tx, chat_ids)
}

/** Those that are not attached yet. Files with the same content have the same key: each stands for one that is attached. */
function without(objects: readonly StoredObject[], attached: readonly string[]): StoredObject[] {
  const left = [...attached]
  return objects.filter(({ key }) => {
    const at = left.indexOf(key)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function fileOf(
  object: StoredObject,
  place: Pick<ImportedFile, 'owner_id' | 'message_id' | 'created_at' | 'position'>,
): ImportedFile {
  const { key, name, size, width, height } = object
  return { ...place, key, name, size, width, height, file_type: fileTypeOf(object) }
}

const NOBODY = { person: () => undefined, chat: () => undefined, tag: () => undefined }

function withoutLines(
  content: string,
  late: readonly StoredObject[],
  records: ReadonlyMap<string, FileRecord>,
): string {
  const named = late.map(({ source_id }) => lineOfMissing(source_id, records.get(source_id)))
  const lines = new Set(named.flatMap((text) => renderText(text, NOBODY).parts))
  return content
    .split('\n')
    .filter((line) => !lines.has(line))
    .join('\n')
}
