import type { ReplayOnly } from '@parley/contract'
import { ulid } from 'ulid'
import { expandEvent } from '../../messages/expand-event.js'
import type { Context } from '../../platform/context.js'
import type { Db } from '../../platform/db/index.js'
import { payloadFor } from '../fan-out.js'
import { type BotEvent, toBotEvents } from '../translate.js'
import {
  type Before,
  type Candidate,
  listBefore,
  listCandidates,
  type Period,
  type ReplayTarget,
} from './source-queries.js'

const PAGE = 500

/** Events of ours that bots can hear of. */
const TYPES = [
  'message.created',
  'message.updated',
  'message.deleted',
  'reaction.created',
  'reaction.deleted',
  'chat_members.added',
  'chat_members.removed',
  'company_members.invited',
  'company_members.confirmed',
  'company_members.updated',
  'company_members.suspended',
  'company_members.activated',
  'company_members.deleted',
]

export interface Criteria extends Period {
  events: string[] | null
  only: ReplayOnly
}

/** One event for the bot, as it is sent. */
export interface Replayed {
  botEvent: BotEvent
  payload: string
  event_id: string
  original_at: Date
}

export interface Piece {
  found: Replayed[]
  /** Everything up to here has been looked at. */
  position: number
  ended: boolean
}

/** Whether the target takes the event, and the bot could hear of it. */
function isFor(target: ReplayTarget, { events }: Criteria, candidate: Candidate, botEvent: BotEvent) {
  const { event_type, chat_id, root_chat_id } = botEvent
  if (!target.events.includes(event_type) || (events && !events.includes(event_type))) return false
  if (chat_id === 0) return candidate.created_at >= target.created_at
  if (event_type !== 'message_link_shared' && !candidate.heard) return false
  const { chat_ids } = target
  return chat_ids === null || chat_ids.includes(chat_id) || chat_ids.includes(root_chat_id)
}

function isAskedFor(only: ReplayOnly, before: Before | undefined): boolean {
  if (only === 'missing') return !before?.made
  return only === 'all' || (before?.made === true && !before.open)
}

async function readPage(
  db: Db,
  ctx: Pick<Context, 'config'>,
  target: ReplayTarget,
  criteria: Criteria,
  candidates: readonly Candidate[],
): Promise<Replayed[]> {
  const positions = candidates.map(({ position }) => position)
  const known = new Map<string, Before>()
  for (const before of await listBefore(db, target.id, target.endpoint_id, positions))
    known.set(`${before.position} ${before.event_type}`, before)
  return candidates.flatMap((candidate) =>
    toBotEvents(expandEvent(candidate), ctx.config.app_url).flatMap((botEvent) => {
      if (!isFor(target, criteria, candidate, botEvent)) return []
      const before = known.get(`${candidate.position} ${botEvent.event_type}`)
      if (!isAskedFor(criteria.only, before)) return []
      const payload = payloadFor(target, botEvent)
      if (!payload) return []
      const original_at = candidate.created_at
      return [{ botEvent, payload, original_at, event_id: before?.event_id ?? ulid(original_at.getTime()) }]
    }),
  )
}

/** Goes on through the events of a period after a position, until it found so many or the period ends. */
export async function walkEvents(
  db: Db,
  ctx: Pick<Context, 'config'>,
  target: ReplayTarget,
  criteria: Criteria,
  { after, limit }: { after: number; limit: number },
): Promise<Piece> {
  const links = target.events.includes('message_link_shared')
  const found: Replayed[] = []
  let position = after
  while (found.length < limit) {
    const page = { after: position, limit: Math.min(PAGE, Math.max(limit, 1)), types: TYPES, links }
    const candidates = await listCandidates(db, target.id, criteria, page)
    found.push(...(await readPage(db, ctx, target, criteria, candidates)))
    position = candidates.at(-1)?.position ?? position
    if (candidates.length < page.limit) return { found, position, ended: true }
  }
  return { found, position, ended: false }
}
