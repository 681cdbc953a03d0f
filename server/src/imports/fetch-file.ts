import { setTimeout as wait } from 'node:timers/promises'
import type { FileRecord } from '@parley/imports'
import type { Context } from '../platform/context.js'
import { OutboundError } from '../platform/outbound/error.js'
import type { OutboundAnswer } from '../platform/outbound/exchange.js'
import { mediaTypeOf } from '../platform/storage/media-type.js'
import { USER_AGENT } from '../platform/version.js'

/** Files that an archive names by address alone may be fetched from these origins. */
export interface Fetching {
  origins: readonly string[]
  /** Never written anywhere: it comes from the operator, or is read from the archive again. */
  token: string | null
}

/** Why a file could not be fetched, as the report says it. */
export class FetchError extends Error {}

/** A file is asked for in parts, so that none is held whole, and a part that fails is asked for again. */
const PART_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 120_000
const ATTEMPTS = 5
const WAIT_MS = 1000
const WAIT_AT_MOST_MS = 60_000

/** An origin as an operator may write it: a host alone is meant with https. */
export function originOf(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return URL.canParse(url) ? new URL(url).origin : null
}

export function mayFetch(fetching: Fetching | null, { url }: FileRecord): boolean {
  return Boolean(fetching && url && URL.canParse(url) && fetching.origins.includes(new URL(url).origin))
}

/** The bytes of a file, a part at a time. Whatever ends it is a FetchError whose text holds no address. */
export async function* fetchFile(
  ctx: Context,
  { token }: Fetching,
  file: FileRecord,
): AsyncGenerator<Buffer> {
  const limit = ctx.config.max_upload_bytes
  if (file.size !== null && file.size > limit) throw new FetchError('is larger than a file may be')
  let total: number | null = null
  let done = 0
  do {
    const answer = await askForPart(ctx, file, token, done)
    if (answer.status === 416 && done === 0) break
    const whole = answer.status === 200
    if (whole && (done > 0 || answer.truncated)) throw new FetchError('cannot be fetched in parts')
    total = whole ? answer.body.length : totalOf(answer)
    if (total === null || (answer.body.length === 0 && total > 0))
      throw new FetchError('cannot be fetched in parts')
    if (total > limit) throw new FetchError('is larger than a file may be')
    done += answer.body.length
    yield answer.body
  } while (total !== null && done < total)
  if (file.size !== null && done !== file.size)
    throw new FetchError('has another size where it was fetched from')
}

function totalOf({ headers }: OutboundAnswer): number | null {
  const total = /^bytes \d+-\d+\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
  return total === undefined ? null : Number(total)
}

async function askForPart(ctx: Context, file: FileRecord, token: string | null, from: number) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask(ctx, file, token, from)
    if (!(answer instanceof OutboundError) && answer.status < 500 && answer.status !== 429)
      return accepted(file, answer)
    if (attempt >= ATTEMPTS) throw new FetchError('could not be fetched')
    const asked = answer instanceof OutboundError ? Number.NaN : Number(answer.headers['retry-after'])
    const wait_ms = Number.isFinite(asked) ? asked * 1000 : WAIT_MS * 2 ** (attempt - 1)
    await wait(Math.min(wait_ms, WAIT_AT_MOST_MS))
  }
}

async function ask(ctx: Context, file: FileRecord, token: string | null, from: number) {
  try {
    return await ctx.outbound_public.request({
      url: withToken(file.url as string, token),
      method: 'GET',
      headers: {
        Range: `bytes=${from}-${from + PART_BYTES - 1}`,
        'Accept-Encoding': 'identity',
        'User-Agent': `${USER_AGENT} (import)`,
        ...(token && !isInAddress(token) && { Authorization: `Bearer ${token}` }),
      },
      timeout_ms: TIMEOUT_MS,
      max_bytes: PART_BYTES,
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.kind === 'refused_target' || error.kind === 'invalid_url')
      throw new FetchError('lies at an address that is not allowed')
    return error
  }
}

/** Tokens of exports stand in the address; those of people and apps in a header. */
const isInAddress = (token: string) => token.startsWith('xoxe-')

function withToken(url: string, token: string | null): string {
  if (!token || !isInAddress(token)) return url
  const asked = new URL(url)
  asked.searchParams.set('t', token)
  return asked.href
}

function accepted(file: FileRecord, answer: OutboundAnswer): OutboundAnswer {
  const { status, headers } = answer
  if (status >= 300 && status < 400) throw new FetchError('is answered with another address')
  if (status === 401 || status === 403) throw new FetchError('is not accessible')
  if (status === 404 || status === 410) throw new FetchError('is gone')
  if (status !== 200 && status !== 206 && status !== 416) throw new FetchError('could not be fetched')
  // Without a token that is valid, such hosts answer with a page to sign in and say that all is well.
  const html = /^text\/html\b/i.test(headers['content-type'] ?? '')
  const type = file.media_type ?? mediaTypeOf(file.name) ?? ''
  if (html && !/html/i.test(type)) throw new FetchError('is answered with a page to sign in')
  return answer
}
