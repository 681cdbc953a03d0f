/**
 * A hot path: a client starts with hundreds of chats, few of which have changed since it started last. So each process keeps
 * what people saw of their chats, and reads again those whose rows have other stamps.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../platform/context.js'
import { valuesOf } from '../platform/db/array.js'
import { keepLast } from '../platform/keep-last.js'
import { type CardFacts, cardText, factsOf, listCardRows, type Viewer } from './cards.js'
import { meetPattern } from './meet.js'
import { BETWEEN, type OwnChats } from './own-chat-queries.js'

function chatsOf({ ids, stamps, members_counts, others, chat_tag_ids, tags }: OwnChats) {
  const [stampOf, membersOf] = [valuesOf(stamps), valuesOf(members_counts)]
  return valuesOf(ids).map((id, place) => {
    const { id: other_id = null, name = null } = others?.[id] ?? {}
    const around = {
      other_id,
      name,
      members_count: membersOf[place] as string,
      chat_tag_ids: chat_tag_ids?.[id] ?? [],
    }
    // By tags people are named, and may do more in a chat.
    return { id: Number(id), stamp: stampOf[place], tags: `${tags} ${around.chat_tag_ids}`, around }
  })
}

/** With which stamps they were read. */
interface KeptFacts extends CardFacts {
  stamp: string | null | undefined
  tags: string
}

type Chat = ReturnType<typeof chatsOf>[number]
type Facts = Map<number, KeptFacts>

/** A part of a text keeps the whole of it in memory: what is kept is copied. */
const copyOf = (text: string) => Buffer.from(text).toString()

/** Chats of people whose facts are kept, of 320 bytes each, and chats whose shared texts are, of 600. */
const KEPT_FACTS = 40_000
const KEPT_TEXTS = 10_000
const KEPT_OF_PERSON = 10_000

export interface OwnCards {
  /** Whether facts of most of these chats are kept, or of any where it is not known yet which chats are read. */
  known(userId: number, ids?: readonly number[]): boolean
  /** Cards of these chats as JSON with commas between them, and whom they show. What has changed since comes as it is now. */
  read(
    ctx: Pick<Context, 'db' | 'config'>,
    viewer: Viewer,
    own: OwnChats,
  ): Promise<{ cards: string; author_ids: number[] }>
}

export function createOwnCards({ resets }: Pick<Context, 'resets'>): OwnCards {
  const kept = new LRUCache<number, Facts>({
    maxSize: KEPT_FACTS,
    sizeCalculation: (facts) => facts.size + 1,
  })
  /** People see the same text of a chat: it is kept once for all of them. */
  const texts = keepLast<number, string>(KEPT_TEXTS)
  resets.addKept(() => {
    kept.clear()
    texts.clear()
  })

  function toKeep(
    { id, tags }: Pick<Chat, 'id' | 'tags'>,
    stamp: KeptFacts['stamp'],
    text: string,
  ): KeptFacts {
    const { shared, own, acts_key, author_id } = factsOf(text)
    if (texts.get(id) !== shared) texts.set(id, copyOf(shared))
    return {
      shared: texts.get(id) as string,
      own: copyOf(own),
      acts_key: copyOf(acts_key),
      author_id,
      stamp,
      tags,
    }
  }

  /** What came with the chats, or is kept of them with the same stamps. */
  function factsAtHand(userId: number, chats: readonly Chat[], text: string | null): Facts {
    if (text !== null) {
      const given = text.split(BETWEEN)
      return new Map(chats.map((chat, place) => [chat.id, toKeep(chat, chat.stamp, given[place] ?? '')]))
    }
    const known = kept.get(userId)
    const facts: Facts = new Map()
    for (const { id, stamp, tags } of chats) {
      const one = known?.get(id)
      if (one && one.stamp === stamp && one.tags === tags) facts.set(id, one)
    }
    return facts
  }

  /** Beside those of other pages. The oldest go first: a chat that was left is never asked for again. */
  function keep(userId: number, facts: Facts) {
    const all = new Map(kept.get(userId))
    for (const [id, one] of facts) {
      all.delete(id)
      all.set(id, one)
    }
    for (const id of all.keys()) {
      if (all.size <= KEPT_OF_PERSON) break
      all.delete(id)
    }
    kept.set(userId, all)
  }

  return {
    known(userId, ids) {
      const facts = kept.get(userId)
      if (!facts || !ids) return facts !== undefined
      return ids.filter((id) => facts.has(id)).length * 2 > ids.length
    },
    async read(ctx, { user_id, role }, own) {
      const chats = chatsOf(own)
      const facts = factsAtHand(user_id, chats, own.facts)
      const changed = new Map(chats.filter(({ id }) => !facts.has(id)).map((chat) => [chat.id, chat]))
      const seen = [...changed.keys()].map((chat_id) => ({ user_id, chat_id }))
      for (const row of await listCardRows(ctx.db, meetPattern(ctx.config), seen))
        facts.set(row.chat_id, toKeep(changed.get(row.chat_id) as Chat, row.stamp, row.facts))
      if (own.facts !== null || changed.size > 0) keep(user_id, facts)
      const cards = chats.flatMap(({ id, around }) => {
        const one = facts.get(id)
        return one ? cardText(one, around, role) : []
      })
      return { cards: cards.join(), author_ids: authorsOf(facts) }
    },
  }
}

function authorsOf(facts: Facts): number[] {
  return [...new Set([...facts.values()].flatMap(({ author_id }) => author_id ?? []))]
}
