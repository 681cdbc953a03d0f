import { sql } from 'kysely'
import type { Autocommit } from '../platform/db/index.js'

/** The words that follow this one in the list, without those that are leaving. */
export async function listWordsAfter(db: Autocommit, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('search_words')
    .select('word')
    .distinct()
    .where('word', '>', after)
    .where('leaving_at', 'is', null)
    .orderBy('word')
    .limit(limit)
    .execute()
  return rows.map(({ word }) => word)
}

/** Marks those of the words that no message has. */
export async function markUnusedWords(db: Autocommit, words: readonly string[], now: Date): Promise<void> {
  await sql`
    update search_words set leaving_at = ${now}, leaving_xid = pg_current_xact_id()
    where leaving_at is null and word in (select search_words_unused(${words}::text[]))`.execute(db)
}

/**
 * Takes out words that were marked before this time and are still in no message, and keeps the others. Transactions that
 * could have seen a word as it was before are over; an xid from the future comes from the database of a backup.
 */
export async function deleteUnusedWords(db: Autocommit, before: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with due as materialized (
      select word from search_words
      where leaving_at < ${before} and (leaving_xid < pg_snapshot_xmin(pg_current_snapshot())
        or leaving_xid >= pg_snapshot_xmax(pg_current_snapshot()))
      order by leaving_at limit ${limit}
    ), unused as materialized (select search_words_unused(array(select word from due)) as word),
    deleted as (
      delete from search_words where leaving_at < ${before} and word in (select word from unused) returning word
    ), kept as (
      update search_words set leaving_at = null, leaving_xid = null
      where leaving_at < ${before} and word in (select word from due except select word from unused) returning word
    ) select (select count(*) from deleted) + (select count(*) from kept) as count`.execute(db)
  return rows[0]?.count ?? 0
}
