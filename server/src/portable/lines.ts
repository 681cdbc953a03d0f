import type { ExportOptions, Line } from '@parley/imports'
import { type Link, readChain, withHashes } from '../audit/chain.js'
import type { Tx } from '../platform/db/index.js'
import { listChats, listDrafts, listMembers, listReads, listTasks, listThreads } from './chat-queries.js'
import { listFiles, listMessages, listPins, listReactions, type MessageLine } from './message-queries.js'
import type { Hashes } from './objects.js'
import {
  type BotLine,
  listBots,
  listEndpoints,
  listPeople,
  listProperties,
  listPropertyValues,
  listTagMembers,
  listTags,
  type WithPictureKey,
} from './people-queries.js'
import { listImportKeys, listSettings } from './setting-queries.js'

const PAGE = 2000

export type Lines<T = object> = AsyncIterable<T>

/** Pages of rows from a place on; those of a page become lines together, since their objects are hashed together. */
async function* paged<P, R, L>(
  start: P,
  fetch: (after: P, limit: number) => Promise<R[]>,
  placeOf: (row: R) => P,
  into: (rows: R[]) => L[] | Promise<L[]>,
): Lines<L> {
  for (let after = start; ; ) {
    const rows = await fetch(after, PAGE)
    yield* await into(rows)
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = placeOf(last)
  }
}

/** Rows that are lines already, in the order of their keys. */
function keyed<R extends object>(start: R, fetch: (after: R, limit: number) => Promise<R[]>): Lines<R> {
  return paged(
    start,
    fetch,
    (row) => row,
    (rows) => rows,
  )
}

function numbered<R extends { id: number }, L = R>(
  fetch: (after: number, limit: number) => Promise<R[]>,
  into: (rows: R[]) => L[] | Promise<L[]> = (rows) => rows as unknown as L[],
): Lines<L> {
  return paged(0, fetch, ({ id }) => id, into)
}

async function withPictures<T extends WithPictureKey<object>>(hashes: Hashes, rows: readonly T[]) {
  const known = await hashes(rows.map(({ picture_key }) => picture_key))
  return rows.map(({ picture_key, ...row }) => ({ ...row, picture: known.get(picture_key ?? '') ?? null }))
}

async function withPromos(hashes: Hashes, rows: readonly BotLine[]) {
  const keys = rows.flatMap(({ promo }) => promo?.promo_images ?? [])
  const known = await hashes(keys)
  return (await withPictures(hashes, rows)).map(({ promo, ...row }) => ({
    ...row,
    promo: promo && {
      description: promo.description,
      published: promo.published,
      pictures: promo.promo_images.flatMap((key) => known.get(key) ?? []),
    },
  }))
}

async function withPreviews(hashes: Hashes, rows: readonly MessageLine[]) {
  const known = await hashes(rows.flatMap(({ previews }) => previews.map(({ picture_key }) => picture_key)))
  return rows.map(({ previews, ...row }) => ({
    ...row,
    previews: previews.map(({ picture_key, ...preview }) => ({
      ...preview,
      picture: known.get(picture_key ?? '') ?? null,
    })),
  }))
}

/** The lines of each entry, by the name of the entry or series. */
export function linesOf(tx: Tx, hashes: Hashes, options: ExportOptions): Record<string, () => Lines> {
  const { since, with_addresses, without_files } = options
  return {
    'people.jsonl': () =>
      numbered(
        (after, limit) => listPeople(tx, after, limit),
        (rows) => withPictures(hashes, rows),
      ),
    'bots.jsonl': () =>
      numbered(
        (after, limit) => listBots(tx, with_addresses, after, limit),
        (rows) => withPromos(hashes, rows),
      ),
    'tags.jsonl': () => numbered((after, limit) => listTags(tx, after, limit)),
    'tag_members.jsonl': () =>
      keyed({ tag_id: 0, person_id: 0 }, (after, limit) => listTagMembers(tx, after, limit)),
    'properties.jsonl': () => numbered((after, limit) => listProperties(tx, after, limit)),
    'property_values.jsonl': () =>
      keyed({ property_id: 0, person_id: 0, value: '' }, (after, limit) =>
        listPropertyValues(tx, after, limit),
      ),
    'files.jsonl': () => fileLines(tx, hashes, since, without_files),
    'chats.jsonl': () => numbered((after, limit) => listChats(tx, after, limit)),
    'members.jsonl': () =>
      paged(
        NOBODY,
        (after, limit) => listMembers(tx, after, limit),
        pairOf,
        (rows) => rows,
      ),
    'endpoints.jsonl': () =>
      paged(
        { bot_id: 0, name: '' },
        (after, limit) => listEndpoints(tx, with_addresses, after, limit),
        ({ bot_id, name }) => ({ bot_id, name }),
        (rows) => rows,
      ),
    messages: () =>
      numbered(
        (after, limit) => listMessages(tx, since, after, limit),
        (rows) => withPreviews(hashes, rows),
      ),
    'threads.jsonl': () => numbered((after, limit) => listThreads(tx, after, limit)),
    reactions: () =>
      paged(
        { message_id: 0, id: 0 },
        (after, limit) => listReactions(tx, since, after, limit),
        ({ message_id, id }) => ({ message_id, id }),
        (rows) => rows.map(({ id, ...line }) => line),
      ),
    'pins.jsonl': () =>
      paged(
        0,
        (after, limit) => listPins(tx, since, after, limit),
        ({ message_id }) => message_id,
        (rows) => rows,
      ),
    'reads.jsonl': () =>
      paged(
        NOBODY,
        (after, limit) => listReads(tx, since, after, limit),
        pairOf,
        (rows) => rows,
      ),
    'drafts.jsonl': () => numbered((after, limit) => listDrafts(tx, after, limit)),
    'tasks.jsonl': () => numbered((after, limit) => listTasks(tx, after, limit)),
    'settings.jsonl': () => settingLines(tx),
    'import_keys.jsonl': () => keyed(NO_KEY, (after, limit) => listImportKeys(tx, after, limit)),
    audit: () => auditLines(tx),
  }
}

const NOBODY = { chat_id: 0, person_id: 0 }
const NO_KEY = { source: '', source_workspace: '', kind: '', source_id: '', id: 0 }
const pairOf = ({ chat_id, person_id }: typeof NOBODY) => ({ chat_id, person_id })

async function* settingLines(tx: Tx): Lines {
  yield* await listSettings(tx)
}

function fileLines(tx: Tx, hashes: Hashes, since: string | null, leftOut: boolean): Lines<Line<'file'>> {
  return numbered(
    (after, limit) => listFiles(tx, since, after, limit),
    async (rows) => {
      const known = await hashes(rows.map(({ key }) => key))
      return rows.map(({ key, ...row }): Line<'file'> => {
        const sha256 = known.get(key) ?? null
        return { ...row, sha256, state: leftOut ? 'left_out' : sha256 ? 'stored' : 'missing' }
      })
    },
  )
}

async function* auditLines(tx: Tx): Lines<Line<'audit'>> {
  for await (const rows of readChain(tx, 0)) yield* withHashes(rows).map(auditLine)
}

function auditLine(row: Link): Line<'audit'> {
  const { created_at_text, details_text, previous_hash, hash, in_block, ...rest } = row
  return {
    ...rest,
    created_at: created_at_text,
    details: details_text,
    previous_hash: previous_hash.toString('hex'),
    hash: hash.toString('hex'),
  }
}
