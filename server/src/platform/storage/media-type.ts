import { posix } from 'node:path'
import { toUSVString } from 'node:util'
import { create } from 'content-disposition'
import { contentType, lookup } from 'mime-types'

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
  'audio/x-flac',
  'audio/x-m4a',
  'video/mp4',
  'video/x-m4v',
  'video/webm',
  'video/ogg',
  'video/quicktime',
])

/** Types that are kept, but only for saving. */
const SAVED = new Set([
  'application/pdf',
  'application/zip',
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
])

/** The media type of a file name, by its extension. */
export function mediaTypeOf(name: string): string | undefined {
  return lookup(posix.extname(name)) || undefined
}

/** The type under which content of users is served: never one that a browser would run. */
export function servedType(content_type: string | undefined): string {
  const type = essence(content_type)
  if (type.startsWith('text/') && SAVED.has(type)) return contentType(type) || type
  return SHOWN.has(type) || SAVED.has(type) ? type : 'application/octet-stream'
}

/** The Content-Disposition under which content of users is served. */
export function servedDisposition(
  disposition: 'attachment' | 'inline',
  content_type: string | undefined,
  filename: string,
): string {
  const type = disposition === 'inline' && SHOWN.has(essence(content_type)) ? 'inline' : 'attachment'
  return create(toUSVString(filename), { type })
}

function essence(content_type = '') {
  return content_type.split(';')[0]!.trim().toLowerCase()
}
