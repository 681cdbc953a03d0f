import type { User, UserStatus } from '@parley/contract'
import { type Actor, isAdmin } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { type CardText, type CardViewer, listCardTexts } from './card-queries.js'
import { STATUS_MARK } from './card-sql.js'

/** An expired status is none, from the moment it expires. */
export function presentStatus(status: UserStatus | null, now: Date): UserStatus | null {
  if (!status) return null
  const { emoji, title, expires_at, is_away, away_message } = status
  if (expires_at && new Date(expires_at) <= now) return null
  return { emoji, title, expires_at, is_away, away_message }
}

export function avatarUrl(public_url: string, image_key: string): string
export function avatarUrl(public_url: string, image_key: string | null): string | null
export function avatarUrl(public_url: string, image_key: string | null): string | null {
  return image_key && `${public_url}/avatars/${image_key}`
}

/** What the actor sees of cards depends on this. */
export function viewerOf(actor: Actor): CardViewer {
  return { user_id: actor.user_id, admin: isAdmin(actor), guest: actor.role === 'multi_guest' }
}

const MARKED = new RegExp(`${STATUS_MARK}([^${STATUS_MARK}]*)${STATUS_MARK}`, 'g')

/** Puts the statuses of now into a card. */
export function withStatus(json: string, now: Date): string {
  if (!json.includes(STATUS_MARK)) return json
  return json.replaceAll(MARKED, (_, status: string) =>
    JSON.stringify(presentStatus(JSON.parse(status) as UserStatus, now)),
  )
}

type Reading = Pick<Context, 'db' | 'clock' | 'config'>

/** The cards of these people as the actor sees them, in the order asked for; who was deleted is left out. */
export async function loadUsers(ctx: Reading, actor: Actor, ids: readonly number[]): Promise<User[]> {
  if (ids.length === 0) return []
  const texts = await listCardTexts(ctx.db, viewerOf(actor), ctx.config.public_url, ids)
  const cards = new Map(texts.map((text) => [text.id, parseCard(ctx, text)]))
  return ids.flatMap((id) => cards.get(id) ?? [])
}

function parseCard({ clock }: Pick<Context, 'clock'>, { json }: CardText): User {
  return JSON.parse(withStatus(json, now(clock))) as User
}
