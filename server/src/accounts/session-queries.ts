import { sql } from 'kysely'
import type { Db } from '../platform/db/index.js'

/** What a session is described by: its end, its holder and the settings of the workspace. */
export function findSession(db: Db, tokenId: number) {
  return db
    .selectFrom('tokens as t')
    .innerJoin('users as u', (join) => join.onRef('u.id', '=', 't.user_id').on('u.deleted_at', 'is', null))
    .innerJoin('workspace as w', (join) => join.onTrue())
    .select([
      't.expires_at',
      'u.role',
      'w.name',
      'w.time_zone',
      'w.plan',
      'w.integrations',
      'w.personal_tokens',
      'w.second_factor',
      sql<boolean>`exists (select from provider_sessions p where p.token_id = t.id)`.as('by_provider'),
    ])
    .where('t.id', '=', tokenId)
    .executeTakeFirst()
}
