/**
 * A hot path: the latest page of a chat is kept as bytes, since text would be encoded for every answer. Messages that were added are put
 * before the others in a copy of these bytes, so that no process reads a whole page again for one message.
 */
import type { Context } from '../platform/context.js'
import { type PageEnds, type Paging, paginateOf } from '../platform/http/page.js'
import { withFiles } from './message-sql.js'
import { type AddedMessage, BETWEEN, type PageAccess, type PageRow, type PageStamp } from './page-queries.js'

export interface LatestPage extends PageStamp {
  /** The answer. */
  body: Buffer
  ids: number[]
  /** Where each message ends in the body. */
  ends: number[]
  /** Whether the chat has older messages. */
  more: boolean
  /** When the first link of a file must be signed again. */
  until_ms: number
}

const HEAD = Buffer.from('{"data":[')
const COMMA = Buffer.from(',')

/** The end of an answer; the ids are those of the messages in it, in list order. */
function tailOf(paging: Paging, ids: readonly number[], flags: Pick<PageEnds, 'more' | 'behind'>): Buffer {
  const [top, bottom] = [ids[0], ids.at(-1)].map((id) => (id === undefined ? undefined : { id }))
  const paginate = paginateOf(paging, { top, bottom, ...flags })
  return Buffer.from(`],"meta":{"paginate":${JSON.stringify(paginate)}}}`)
}

/** Where each of these texts ends in a body that has them one after the other, with commas between them. */
function endsOf(texts: readonly string[]): number[] {
  let end = HEAD.length - COMMA.length
  return texts.map((text) => {
    end += COMMA.length + Buffer.byteLength(text)
    return end
  })
}

/** Any page, as an answer and for how long it may be kept. */
export async function bodyOf(ctx: Context, paging: Paging, page: PageRow) {
  const { json, until_ms } = await withFiles(ctx, page.json ?? '', page.files, page.perimeter)
  const texts = json === '' ? [] : json.split(BETWEEN)
  const ids = page.ids ?? []
  const shown = ids.slice(0, paging.limit)
  if (paging.position.back) shown.reverse()
  const more = ids.length > paging.limit
  const tail = tailOf(paging, shown, { more, behind: page.behind })
  return { body: Buffer.concat([HEAD, Buffer.from(texts.join(',')), tail]), texts, shown, more, until_ms }
}

export async function latestPageOf(ctx: Context, paging: Paging, page: PageRow): Promise<LatestPage> {
  const { body, texts, shown, more, until_ms } = await bodyOf(ctx, paging, page)
  const { base, version } = page
  return { base, version, body, ids: shown, ends: endsOf(texts), more, until_ms }
}

/** The messages as texts, the newest first, with their files. */
async function textsOf(ctx: Context, added: readonly AddedMessage[], perimeter: boolean) {
  const marked = added.map(({ json }) => json).join(BETWEEN)
  const files = added.flatMap((message) => message.files ?? [])
  const { json, until_ms } = await withFiles(ctx, marked, files, perimeter)
  return { texts: json.split(BETWEEN), until_ms }
}

/** The kept page with the messages that were added since; undefined where nothing of it is left, or it is not exactly the page before them. */
export async function extendPage(
  ctx: Context,
  paging: Paging,
  kept: LatestPage,
  { base, version, perimeter, added }: PageAccess,
): Promise<LatestPage | undefined> {
  const staying = Math.min(kept.ids.length, paging.limit - added.length)
  if (kept.base !== base || added.length === 0 || staying <= 0) return undefined
  const { texts, until_ms } = await textsOf(ctx, added, perimeter)
  const fresh = endsOf(texts)
  const shift = (fresh.at(-1) as number) + COMMA.length - HEAD.length
  const ids = [...added.map(({ id }) => id), ...kept.ids.slice(0, staying)]
  const more = kept.more || staying < kept.ids.length
  const tail = tailOf(paging, ids, { more, behind: false })
  const old = kept.body.subarray(HEAD.length, kept.ends[staying - 1])
  return {
    base,
    version,
    body: Buffer.concat([HEAD, Buffer.from(texts.join(',')), COMMA, old, tail]),
    ids,
    ends: [...fresh, ...kept.ends.slice(0, staying).map((end) => end + shift)],
    more,
    until_ms: Math.min(until_ms, kept.until_ms),
  }
}
