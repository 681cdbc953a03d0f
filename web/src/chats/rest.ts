import type { ChatCard, Start } from '@parley/contract'
import { type Answer, call } from '../platform/api.js'
import { type Change, isOfChat } from '../platform/changes.js'
import { pause } from '../platform/tabs.js'
import { apply, hearing, state } from '../store.js'

const PAGE = 500
const WAIT_AT_LEAST_MS = 500
const WAIT_AT_MOST_MS = 30_000
/** What moved a chat off the pages that were left to read is heard within this time. */
const GONE_AFTER_MS = 2000

type Page = Answer<'listOwnChatCards'>

/** The chats that the first call leaves out, read behind the first screen. */
export interface Rest {
  /** Reads them page by page. Of the chats that were known before, those on no page are taken away at the end. */
  follow(start: Start, known: Iterable<number>): Promise<void>
  stop(): void
}

/** Whether the card in the state was changed, or put there. */
const isAbout = (change: Change, id: number) =>
  change.type === 'chat' ? change.chat.id === id : isOfChat(change, id)

export function createRest(readChat: (id: number) => Promise<void>): Rest {
  let ending = new AbortController()

  /** Asks until there is an answer; undefined when the reading was given up. */
  async function readPage(cursor: string, signal: AbortSignal): Promise<Page | undefined> {
    for (let wait_ms = WAIT_AT_LEAST_MS; !signal.aborted; wait_ms = Math.min(WAIT_AT_MOST_MS, wait_ms * 2)) {
      try {
        const asked = call('listOwnChatCards', { query: { cursor, limit: PAGE }, signal })
        return await hearing(asked, (page, heard) => {
          if (signal.aborted) return undefined
          apply({ type: 'people', people: page.people })
          // No card holds a message that came after the start, which would have moved it off the page: pointers that moved
          // meanwhile may be moved again.
          apply({ type: 'more_chats', chats: page.data, heard })
          return page
        })
      } catch {
        await pause(wait_ms * (0.5 + Math.random() / 2), signal)
      }
    }
    return undefined
  }

  /** Takes those that are on a page out of `unseen`. */
  async function readPages(first: string, unseen: Set<number>, signal: AbortSignal) {
    for (let cursor: string | null = first; cursor !== null; ) {
      const page: Page | undefined = await readPage(cursor, signal)
      if (!page) return
      for (const { id } of page.data) unseen.delete(id)
      const { has_next, next_page } = page.meta.paginate
      cursor = has_next ? next_page : null
    }
    if (unseen.size > 0) await pause(GONE_AFTER_MS, signal)
  }

  return {
    stop: () => ending.abort(),
    async follow({ chats, next_chats }, known) {
      ending.abort()
      if (next_chats === null) return
      ending = new AbortController()
      const { signal } = ending
      const unseen = without(known, chats)
      await hearing(readPages(next_chats, unseen, signal), (_, heard) => {
        if (signal.aborted) return
        // It was written to meanwhile, and moved to a page that had been read.
        const moved = [...unseen].filter((id) => heard.some((change) => isAbout(change, id)))
        for (const id of moved) {
          unseen.delete(id)
          if (state.chats.peek().has(id)) void readChat(id).catch(() => {})
        }
        if (unseen.size > 0) apply({ type: 'chats_gone', ids: unseen })
      })
    },
  }
}

function without(known: Iterable<number>, chats: readonly ChatCard[]): Set<number> {
  const rest = new Set(known)
  for (const { id } of chats) rest.delete(id)
  return rest
}
