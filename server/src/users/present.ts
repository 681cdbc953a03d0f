import type { CustomPropertyDefinition, User, UserStatus } from '@parley/contract'
import { presentProperties } from '../custom-properties/present.js'
import { type Actor, isAdmin } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { type CardRow, listCards, seenBy } from './queries.js'

/** Who looks, when, and with what every card needs. */
export interface Viewer {
  actor: Actor
  now: Date
  public_url: string
  definitions: readonly CustomPropertyDefinition[]
}

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

/** Mail and phone: one's own always; those of others by role, and for employees and bots by the setting. */
function seesPersonalData(actor: Actor, row: { id: number; show_personal_data: boolean }): boolean {
  if (row.id === actor.user_id || isAdmin(actor)) return true
  return actor.role !== 'multi_guest' && row.show_personal_data
}

export function presentUser(viewer: Viewer, row: CardRow): User {
  const { actor, now, public_url, definitions } = viewer
  const personal = seesPersonalData(actor, row)
  const tags = actor.role !== 'multi_guest' || row.id === actor.user_id ? row.tags : []
  return {
    id: row.id,
    first_name: row.first_name,
    last_name: row.last_name,
    nickname: row.nickname,
    email: personal ? row.email : null,
    phone_number: personal ? row.phone_number : null,
    department: row.department,
    title: row.title,
    role: (row.role === 'owner' ? 'admin' : row.role) as User['role'],
    suspended: row.suspended,
    invite_status: row.invite_status as User['invite_status'],
    inviter_id: row.present_inviter_id,
    list_tags: tags,
    custom_properties: presentProperties(definitions, row.properties),
    user_status: presentStatus(row.status, now),
    bot: row.bot,
    sso: row.sso,
    created_at: row.created_at.toISOString(),
    last_activity_at: row.last_activity_at?.toISOString() ?? null,
    time_zone: row.time_zone,
    image_url: avatarUrl(public_url, row.image_key),
  }
}

type Reading = Pick<Context, 'db' | 'clock' | 'config'>

/** The cards of these people as the actor sees them, in the order asked for; who was deleted is left out. */
export async function loadUsers(ctx: Reading, actor: Actor, ids: readonly number[]): Promise<User[]> {
  return ids.length === 0 ? [] : presentCards(ctx, actor, ids, await listCards(ctx.db, ids))
}

/** The card of a person whom the actor may see. */
export async function loadUserFor(ctx: Reading, actor: Actor, id: number): Promise<User | undefined> {
  const [user] = presentCards(ctx, actor, [id], await listCards(ctx.db, [id], seenBy(actor)))
  return user
}

function presentCards(ctx: Reading, actor: Actor, ids: readonly number[], rows: readonly CardRow[]): User[] {
  const cards = new Map(rows.map((row) => [row.id, row]))
  const viewer = {
    actor,
    now: now(ctx.clock),
    public_url: ctx.config.public_url,
    definitions: rows[0]?.definitions ?? [],
  }
  return ids.flatMap((id) => {
    const row = cards.get(id)
    return row ? [presentUser(viewer, row)] : []
  })
}
