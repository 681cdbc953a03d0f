import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

export type Language = 'en' | 'ru'

/** The language that a person chose for the screen, else that of the screen on which they turned digests on; undefined where neither is known. */
export async function findLanguage(db: Db, userId: number): Promise<Language | undefined> {
  const [row] = await read(
    db,
    sql<{ language: Language | null }>`
    select coalesce(
      (select value ->> 'locale' from preferences where user_id = ${userId} and value ->> 'locale' in ('en', 'ru')),
      (select mail_language from notification_settings where user_id = ${userId})) as language`,
  )
  return row?.language ?? undefined
}

/** The language of mail to a person. */
export async function readLanguage(db: Db, userId: number): Promise<Language> {
  return (await findLanguage(db, userId)) ?? 'en'
}
