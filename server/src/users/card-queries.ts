import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { type Db, type Pool, read, rows } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { CARD_TABLES, cardJsonSql } from './card-sql.js'
import { seenBy } from './queries.js'

/** Who looks at cards. */
export interface CardViewer {
  user_id: number
  /** Owner and admins. */
  admin: boolean
  guest: boolean
}

/** The card of a person as JSON text, whose status is still marked. */
export interface CardText {
  id: number
  json: string
}

/** The card of the person `u`, as the viewer of `viewerSql` sees it; a status is still marked. */
export const CARD = sql.raw(cardJsonSql('v.public_url'))

export function viewerSql({ user_id, admin, guest }: CardViewer, publicUrl: string): RawBuilder<unknown> {
  return sql`(select ${user_id}::bigint as user_id, ${admin}::boolean as admin, ${guest}::boolean as guest,
    ${publicUrl}::text as public_url) v`
}

/** The cards of these people; those who were deleted have none, and those who `seen` leaves out. */
export function listCardTexts(
  db: Db,
  viewer: CardViewer,
  publicUrl: string,
  ids: readonly number[],
  seen: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<CardText[]> {
  return read(
    db,
    sql<CardText>`
    select u.id, ${CARD} as json from users u cross join ${viewerSql(viewer, publicUrl)} ${sql.raw(CARD_TABLES)}
    where u.id = any(${ids}) and u.deleted_at is null and ${seen}`,
  )
}

/** A page of the people whom the actor sees, by id. */
export function listUserTextsFor(
  db: Db,
  actor: Actor,
  viewer: CardViewer,
  publicUrl: string,
  paging: Paging,
): Promise<CardText[]> {
  const page = keyset(paging, { id: sql`u.id` })
  return read(
    db,
    sql<CardText>`
    select u.id, ${CARD} as json
    from (select u.* from users u where u.deleted_at is null and ${seenBy(actor)} and ${page.where}
      order by ${page.orderBy} limit ${page.limit} offset ${page.offset}) u
    cross join ${viewerSql(viewer, publicUrl)} ${sql.raw(CARD_TABLES)} order by ${page.orderBy}`,
  )
}

const ASKED = `
  select v.n, ${cardJsonSql('$5::text')} as json
  from unnest($1::bigint[], $2::boolean[], $3::boolean[], $4::bigint[]) with ordinality as v (user_id, admin, guest, asked_id, n)
  join users u on u.id = v.asked_id and u.deleted_at is null ${CARD_TABLES}`

export interface AskedCard extends CardViewer {
  asked_id: number
}

/** The card that each of these viewers asks for; undefined of those who were deleted. */
export async function findCardTexts(
  pool: Pool,
  publicUrl: string,
  asked: readonly AskedCard[],
): Promise<(string | undefined)[]> {
  const found = await rows<{ n: number; json: string }>(pool, ASKED, [
    asked.map(({ user_id }) => user_id),
    asked.map(({ admin }) => admin),
    asked.map(({ guest }) => guest),
    asked.map(({ asked_id }) => asked_id),
    publicUrl,
  ])
  const answers: (string | undefined)[] = asked.map(() => undefined)
  for (const { n, json } of found) answers[n - 1] = json
  return answers
}
