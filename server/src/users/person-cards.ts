import type { PersonCard } from '@parley/contract'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { listPersonRows, type PersonRow } from './person-queries.js'
import { avatarUrl, presentStatus } from './present.js'

function statusOf(row: PersonRow, now: Date): PersonCard['status'] {
  const status = presentStatus(row.status, now)
  if (!status) return null
  const { emoji, title, expires_at, is_away: away } = status
  return { emoji, title, expires_at, away }
}

export function presentPerson(row: PersonRow, now: Date, public_url: string): PersonCard {
  const { id, first_name, last_name, nickname, bot, suspended, title, time_zone } = row
  return {
    id,
    name: [first_name, last_name].filter(Boolean).join(' ') || nickname,
    first_name,
    last_name,
    nickname,
    image_url: avatarUrl(public_url, row.image_key),
    bot,
    suspended,
    deleted: row.deleted_at !== null,
    role: (row.role === 'owner' ? 'admin' : row.role) as PersonCard['role'],
    title,
    status: statusOf(row, now),
    time_zone,
  }
}

/** The cards of these people by id, also of those who were deleted; ids that name nobody are left out. */
export async function loadPeople(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  ids: Iterable<number>,
): Promise<PersonCard[]> {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return []
  const at = now(ctx.clock)
  const rows = await listPersonRows(ctx.db, asked)
  return rows.map((row) => presentPerson(row, at, ctx.config.public_url))
}
