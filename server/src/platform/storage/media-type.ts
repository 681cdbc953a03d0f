import { toUSVString } from 'node:util'

/** What a browser may show by itself: pictures, sound and video of formats that carry no scripts. */
const SHOWN = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/wav',
  'audio/x-wav',
  'audio/webm',
  'audio/flac',
  'audio/x-m4a',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
])

/** What keeps its name although it is only handed out for saving. */
const SAVED = new Set(['application/pdf', 'application/zip', 'text/plain', 'text/csv', 'application/json'])

/** The type under which content of users is served: never one that a browser would run. */
export function servedType(content_type: string | undefined): string {
  const type = essence(content_type)
  if (type.startsWith('text/') && SAVED.has(type)) return `${type}; charset=utf-8`
  return SHOWN.has(type) || SAVED.has(type) ? type : 'application/octet-stream'
}

/** The Content-Disposition under which content of users is served. */
export function servedDisposition(
  disposition: 'attachment' | 'inline',
  content_type: string | undefined,
  filename: string,
): string {
  const granted = disposition === 'inline' && SHOWN.has(essence(content_type)) ? 'inline' : 'attachment'
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return `${granted}; filename="${plain}"; filename*=UTF-8''${encodeExtended(filename)}`
}

function essence(content_type = '') {
  return content_type.split(';')[0]!.trim().toLowerCase()
}

// RFC 8187 allows fewer characters than encodeURIComponent leaves alone.
function encodeExtended(text: string) {
  return encodeURIComponent(toUSVString(text)).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
