/**
 * A hot path: the latest page of a chat is kept by each process, and each use is proved fresh by the chat's version, which everything
 * that a page shows moves. The statement that asks for the version also gives the messages that were added since.
 */
import { LRUCache } from 'lru-cache'
import { mayRead } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { microBatch } from '../platform/db/batch.js'
import type { Pool } from '../platform/db/index.js'
import type { Paging } from '../platform/http/page.js'
import { ensure, found } from '../platform/problem.js'
import { bodyOf, extendPage, type LatestPage, latestPageOf } from './latest-page.js'
import { type AskedAccess, findAccess, type PageAccess, readPage } from './page-queries.js'

const CACHED_BYTES = 40 * 1024 * 1024
/** What a kept page needs besides its body. */
const AROUND_BYTES = 1_000

export interface MessagePages {
  /** The page as JSON; refuses those who may not read the chat. */
  read(actor: Actor, chatId: number, paging: Paging): Promise<Buffer>
}

const isLatest = ({ first, offset, position }: Paging) => first && offset === 0 && position.order === 'desc'

const isCurrent = (page: LatestPage, { base, version }: PageAccess) =>
  page.base === base && page.version === version

export function createMessagePages(ctx: Context, pool: Pool): MessagePages {
  const latest = new LRUCache<string, LatestPage>({
    maxSize: CACHED_BYTES,
    sizeCalculation: ({ body }) => body.length + AROUND_BYTES,
  })
  ctx.resets.addKept(() => latest.clear())

  const accessOf = microBatch<AskedAccess, PageAccess | undefined>(
    (asked) => findAccess(pool, ctx.config.app_url, asked),
    { max: 200, inFlight: 2 },
  )

  /** Only a personal chat looks different from its two sides. */
  function findKept(actor: Actor, chatId: number, limit: number): LatestPage | undefined {
    const kept = latest.get(`${chatId}:${limit}:`) ?? latest.get(`${chatId}:${limit}:${actor.user_id}`)
    return kept && ctx.clock.now() < kept.until_ms ? kept : undefined
  }

  const load = (actor: Actor, chatId: number, paging: Paging) =>
    readPage(pool, ctx.config.app_url, actor.user_id, chatId, paging)

  return {
    async read(actor, chat_id, paging) {
      const { limit } = paging
      const kept = isLatest(paging) ? findKept(actor, chat_id, limit) : undefined
      const asked = { chat_id, user_id: actor.user_id, limit, kept }
      const access = found(await accessOf(asked), { key: 'chat_id', value: chat_id })
      ensure(mayRead(actor, access), 'read', { type: 'Chat', id: chat_id })
      if (!isLatest(paging)) return (await bodyOf(ctx, paging, await load(actor, chat_id, paging))).body

      if (kept && isCurrent(kept, access)) return kept.body
      // Another request may have brought it up to date meanwhile.
      const current = findKept(actor, chat_id, limit)
      if (current && isCurrent(current, access)) return current.body
      const page =
        (kept && (await extendPage(ctx, paging, kept, access))) ??
        (await latestPageOf(ctx, paging, await load(actor, chat_id, paging)))
      latest.set(`${chat_id}:${limit}:${access.kind === 'personal' ? actor.user_id : ''}`, page)
      return page.body
    },
  }
}
