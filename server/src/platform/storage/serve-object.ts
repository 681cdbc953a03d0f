import type { Readable } from 'node:stream'
import { readRange } from './byte-range.js'
import { servedDisposition, servedType } from './media-type.js'
import type { ObjectFiles, OpenObject } from './object-files.js'
import type { SignedUrlOptions } from './storage.js'

export interface Conditions {
  method?: 'GET' | 'HEAD'
  /** The request headers of these names. */
  range?: string
  if_range?: string
  if_none_match?: string
}

export interface ServedObject {
  status: 200 | 206 | 304 | 403 | 404 | 416
  headers: Record<string, string>
  body?: Readable
}

/** Nothing that users upload may act in the name of our origin, whatever a browser takes it for. */
const CONTAINMENT = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
}

/** Answers a download: whole, one range of it, or nothing where the caller has it already. */
export async function serveObject(
  files: ObjectFiles,
  key: string,
  link: SignedUrlOptions,
  conditions: Conditions,
  now_ms: number,
): Promise<ServedObject> {
  const file = await files.open(key)
  if (!file) return { status: 404, headers: { ...CONTAINMENT } }
  try {
    const answer = head(file, link, conditions, now_ms)
    const wanted = 'wanted' in answer ? answer.wanted : undefined
    if (!wanted || conditions.method === 'HEAD' || file.size === 0) {
      await file.close()
      return { status: answer.status, headers: answer.headers }
    }
    return { status: answer.status, headers: answer.headers, body: file.stream(wanted) }
  } catch (error) {
    await file.close()
    throw error
  }
}

interface Head extends ServedObject {
  wanted?: { start: number; end: number }
}

function head(file: OpenObject, link: SignedUrlOptions, conditions: Conditions, now_ms: number): Head {
  const etag = `"${file.version}"`
  const headers: Record<string, string> = {
    ...CONTAINMENT,
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': `private, max-age=${Math.max(0, Math.floor((link.expires_at.getTime() - now_ms) / 1000))}`,
    'Content-Type': servedType(link.content_type),
    'Content-Disposition': servedDisposition(link.disposition, link.content_type, link.filename),
  }
  if (matches(conditions.if_none_match, etag)) return { status: 304, headers }

  const stale = conditions.if_range !== undefined && conditions.if_range !== etag
  const range = readRange(stale ? undefined : conditions.range, file.size)
  if (range === 'unsatisfiable') {
    return {
      status: 416,
      headers: { ...headers, 'Content-Range': `bytes */${file.size}`, 'Content-Length': '0' },
    }
  }
  if (range === 'whole') {
    const wanted = { start: 0, end: file.size - 1 }
    return { status: 200, headers: { ...headers, 'Content-Length': String(file.size) }, wanted }
  }
  const partial = {
    'Content-Range': `bytes ${range.start}-${range.end}/${file.size}`,
    'Content-Length': String(range.end - range.start + 1),
  }
  return { status: 206, headers: { ...headers, ...partial }, wanted: range }
}

function matches(if_none_match: string | undefined, etag: string) {
  const listed = (if_none_match ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''))
  return listed.includes(etag) || listed.includes('*')
}
