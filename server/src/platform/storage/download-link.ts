import { createHmac } from 'node:crypto'
import { parse } from 'node:querystring'
import { toUSVString } from 'node:util'
import { sameText } from './post-policy.js'
import type { SignedUrlOptions } from './storage.js'

export type DownloadQuery = Record<string, string | string[] | undefined>

export type LinkVerdict = ({ ok: true } & SignedUrlOptions) | { ok: false; reason: string }

/** The query of a link that gives one object, under one name, to anyone who has it, until it expires. */
export function signLink(secret: Buffer, key: string, options: SignedUrlOptions): URLSearchParams {
  const query = new URLSearchParams({
    expires: String(Math.floor(options.expires_at.getTime() / 1000)),
    name: toUSVString(options.filename),
    type: options.content_type ?? '',
    disposition: options.disposition,
  })
  query.set('signature', signatureOf(secret, key, query))
  return query
}

/** The names of a query and their values; requests hold it as text. */
export function downloadQuery(query: unknown): DownloadQuery {
  return parse(query as string)
}

/** Reads such a query back; refuses what we did not sign and what has expired. */
export function judgeLink(secret: Buffer, key: string, given: DownloadQuery, now_ms: number): LinkVerdict {
  const query = new URLSearchParams()
  for (const name of ['expires', 'name', 'type', 'disposition']) query.set(name, String(given[name] ?? ''))
  if (!sameText(signatureOf(secret, key, query), String(given.signature ?? ''))) {
    return { ok: false, reason: 'the signature does not match' }
  }
  const expires_at = new Date(Number(query.get('expires')) * 1000)
  if (now_ms >= expires_at.getTime()) return { ok: false, reason: 'the link has expired' }
  return {
    ok: true,
    expires_at,
    filename: query.get('name')!,
    content_type: query.get('type') || undefined,
    disposition: query.get('disposition') === 'inline' ? 'inline' : 'attachment',
  }
}

function signatureOf(secret: Buffer, key: string, query: URLSearchParams): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['download', key, ...query.values()]))
    .digest('base64url')
}
