/**
 * A hot path: what a message says is the same for everybody, and most of what clients ask for they asked for before. So each process keeps
 * it as JSON text, and reads it again where the row of the message has another stamp.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { listTexts } from './text-queries.js'

const KEPT_BYTES = 24 * 1024 * 1024
/** What a text needs besides its characters, of which each may need two bytes. */
const AROUND_BYTES = 200

interface Kept {
  stamp: string
  text: string
}

export interface Stamped {
  id: number
  stamp: string
}

export interface MessageTexts {
  /** The fields of these messages that are in their rows, as JSON without braces, by id. */
  read(db: Db, messages: readonly Stamped[]): Promise<Map<number, string>>
}

export function createMessageTexts(ctx: Context): MessageTexts {
  const kept = new LRUCache<number, Kept>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ text }) => 2 * text.length + AROUND_BYTES,
  })
  ctx.resets.addKept(() => kept.clear())

  return {
    async read(db, messages) {
      const texts = new Map<number, string>()
      const missing: number[] = []
      for (const { id, stamp } of messages) {
        const known = kept.get(id)
        if (known?.stamp === stamp) texts.set(id, known.text)
        else missing.push(id)
      }
      if (missing.length === 0) return texts
      for (const { id, stamp, text } of await listTexts(db, ctx.config.app_url, missing)) {
        kept.set(id, { stamp, text })
        texts.set(id, text)
      }
      return texts
    },
  }
}
