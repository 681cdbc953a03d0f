import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

export type Language = 'en' | 'ru'

/** The language of mail to a person: the one they chose for the screen, else that of the screen on which they turned digests on. */
export async function readLanguage(db: Db, userId: number): Promise<Language> {
  const [row] = await read(
    db,
    sql<{ language: Language }>`
    select coalesce(
      (select value ->> 'locale' from preferences where user_id = ${userId} and value ->> 'locale' in ('en', 'ru')),
      (select mail_language from notification_settings where user_id = ${userId}),
      'en') as language`,
  )
  return row?.language ?? 'en'
}
