import type { PersonCard, TimelineMessage, TimelineMeta } from '@parley/contract'
import { mayRead } from '../chats/rules.js'
import { presentFiles } from '../files/present.js'
import { previewUrlOf } from '../files/preview.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { ensure, found } from '../platform/problem.js'
import { presentPreview } from '../previews/present.js'
import { presentPerson } from '../users/person-cards.js'
import { type Place, type PlacedRow, readNamed, readPlaced, type Sides } from './page-queries.js'
import type { Around, ShownRow } from './shown-sql.js'
import type { MessageTexts } from './texts.js'

type AroundFields = Pick<
  TimelineMessage,
  'files' | 'voice_content' | 'thread' | 'reactions' | 'link_previews' | 'pinned' | 'mentioned' | 'quoted'
>

/** Fields as JSON without braces. */
const textOf = (fields: AroundFields) => JSON.stringify(fields).slice(1, -1)

const NOTHING_AROUND = textOf({
  files: [],
  voice_content: null,
  thread: null,
  reactions: [],
  link_previews: [],
  pinned: false,
  mentioned: false,
  quoted: null,
})

async function aroundText(ctx: Context, around: Around | undefined, perimeter: boolean): Promise<string> {
  if (!around) return NOTHING_AROUND
  const { thread, pinned, mentioned, quoted } = around
  const { files, voice_content } = await presentFiles(ctx, around.files ?? [], perimeter)
  return textOf({
    files: files.map((file) => ({ ...file, preview_url: previewUrlOf(ctx, file) })),
    voice_content,
    thread,
    reactions: around.reactions ?? [],
    link_previews: await Promise.all((around.previews ?? []).map((preview) => presentPreview(ctx, preview))),
    pinned,
    mentioned,
    quoted,
  })
}

/** The messages as JSON with commas between them, and whom they show. */
async function finish(
  ctx: Context,
  texts: MessageTexts,
  { lines, around, people, perimeter }: ShownRow,
): Promise<{ json: string; people: PersonCard[] }> {
  const shown = (lines?.split('\n') ?? []).map((line) => {
    const [id, stamp = '', entity_type, entity_id] = line.split(' ')
    return { id: Number(id), stamp, entity: `"entity_type":"${entity_type}","entity_id":${entity_id}` }
  })
  const known = await texts.read(ctx.db, shown)
  const messages = shown.flatMap(({ id, entity }) => {
    const text = known.get(id)
    if (!text) return []
    return aroundText(ctx, around?.[id], perimeter).then((rest) => `{${text},${entity},${rest}}`)
  })
  const at = now(ctx.clock)
  return {
    json: (await Promise.all(messages)).join(','),
    people: people.map((person) => presentPerson(person, at, ctx.config.public_url)),
  }
}

function sidesOf({ kind }: Place, limit: number): Sides {
  if (kind === 'after') return { older: 0, newer: limit }
  if (kind === 'newest' || kind === 'before') return { older: limit, newer: 0 }
  return { older: Math.floor(limit / 2), newer: Math.ceil(limit / 2) }
}

function metaOf(sides: Sides, { anchored, older, newer, nearest_id }: PlacedRow): TimelineMeta {
  if (!anchored) return { has_older: older > sides.older + sides.newer, has_newer: false, anchor_id: null }
  return { has_older: older > sides.older, has_newer: newer > sides.newer, anchor_id: nearest_id }
}

export interface Timelines {
  /** A page of a timeline as JSON; refuses those who may not read the chat. */
  readPage(ctx: Context, actor: Actor, chatId: number, place: Place, limit: number): Promise<string>
  /** These messages as the actor sees them, in the order of the ids, and whom they show. */
  load(
    ctx: Context,
    actor: Actor,
    ids: readonly number[],
  ): Promise<{ messages: TimelineMessage[]; people: PersonCard[] }>
}

export function createTimelines(texts: MessageTexts): Timelines {
  return {
    async readPage(ctx, actor, chatId, place, limit) {
      const sides = sidesOf(place, limit)
      const page = await readPlaced(ctx.db, actor.user_id, chatId, place, sides)
      const row = found(page, { key: 'id', value: chatId })
      ensure(mayRead(actor, row), 'read', { type: 'Chat', id: chatId })
      const { json, people } = await finish(ctx, texts, row)
      const meta = metaOf(sides, row)
      return `{"data":[${json}],"people":${JSON.stringify(people)},"meta":${JSON.stringify(meta)}}`
    },
    async load(ctx, actor, ids) {
      if (ids.length === 0) return { messages: [], people: [] }
      const { json, people } = await finish(ctx, texts, await readNamed(ctx.db, actor.user_id, ids))
      return { messages: JSON.parse(`[${json}]`) as TimelineMessage[], people }
    },
  }
}
