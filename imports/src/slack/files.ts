import { cleanName } from '../file-name.js'
import { asObjects, asText, filled, isObject, type JsonObject } from '../json.js'
import type { FileRecord } from '../records.js'
import { paragraph, plain, type RichText } from '../text/rich-text.js'
import { seconds } from './times.js'

/** Where the entries of an archive hold the bytes of a file: written by tools that fetch them, never by the export itself. */
export type FindBytes = (id: string, name: string) => string | null

const NO_BYTES: Record<string, string> = {
  tombstone: 'was deleted',
  hidden_by_limit: 'was hidden by the plan',
  external: 'lies in another service',
}

export function filesOf(message: JsonObject): JsonObject[] {
  const files = asObjects(message.files)
  return files.length > 0 ? files : isObject(message.file) ? [message.file] : []
}

export function readFile(file: JsonObject, id: string, find: FindBytes): FileRecord {
  const name = cleanName(filled(file.name) ?? filled(file.title) ?? id)
  const reason = NO_BYTES[asText(file.mode) ?? '']
  const denied = filled(file.file_access)
  const path = reason ? null : find(id, name)
  const url = reason || path ? null : addressOf(file)
  const size = Number(file.size)
  return {
    kind: 'file',
    id,
    name,
    media_type: filled(file.mimetype),
    size: Number.isSafeInteger(size) && size >= 0 ? size : null,
    owner_id: filled(file.user),
    created_at: seconds(file.created),
    path,
    missing: path
      ? null
      : (reason ?? (denied && denied !== 'visible' ? 'is not accessible' : 'is not in the archive')),
    ...(url && { url }),
  }
}

function linkOf(file: JsonObject): URL | null {
  const link = filled(file.url_private_download) ?? filled(file.url_private)
  return link && URL.canParse(link) ? new URL(link) : null
}

/** The address of the bytes without its query, which holds a token. */
function addressOf(file: JsonObject): string | null {
  const url = linkOf(file)
  return url && /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname}` : null
}

/** The token of the export, which every address carries. */
export function tokenOf(file: JsonObject): string | null {
  return linkOf(file)?.searchParams.get('t') ?? null
}

/** A document of another service is a link. */
export function externalLink(file: JsonObject): RichText {
  const url = filled(file.url_private) ?? filled(file.external_url)
  if (file.mode !== 'external' || !url) return []
  const name = filled(file.title) ?? filled(file.name) ?? url
  return paragraph([{ type: 'link', url, children: [plain(name)] }])
}
