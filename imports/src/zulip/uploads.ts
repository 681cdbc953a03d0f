import type { Archive } from '../archive/archive.js'
import { cleanName } from '../file-name.js'
import { asIds, asText, filled, type JsonObject, readMember } from '../json.js'
import { type FileRecord, type ImportRecord, type Remark, unreadable } from '../records.js'
import type { Reading } from './messages.js'
import { secondsOf } from './people.js'

const UPLOADS = 'attachment.json'

export async function* readFiles(archive: Archive, reading: Reading): AsyncIterable<ImportRecord | Remark> {
  try {
    for await (const row of readMember(archive, UPLOADS, 'zerver_attachment')) {
      const id = filled(row.path_id)
      if (!id) continue
      for (const message of asIds(row.messages)) {
        const files = reading.files.get(message)
        if (files) files.push(id)
        else reading.files.set(message, [id])
      }
      yield fileOf(archive, row, id)
    }
  } catch (error) {
    yield unreadable(UPLOADS, error)
  }
}

function fileOf(archive: Archive, row: JsonObject, id: string): FileRecord {
  const path =
    [`uploads/${id}`, `uploads/${id.normalize('NFC')}`].find((name) => archive.entries.has(name)) ?? null
  const size = Number(row.size)
  return {
    kind: 'file',
    id,
    name: cleanName(filled(row.file_name) ?? id),
    media_type: filled(row.content_type),
    size: Number.isSafeInteger(size) ? size : null,
    owner_id: asText(row.owner),
    created_at: secondsOf(row.create_time),
    path,
    missing: path ? null : 'is not in the archive',
  }
}
