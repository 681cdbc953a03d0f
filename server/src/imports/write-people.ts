import { type BotRecord, cut, type PersonRecord, type Remark, remark } from '@parley/imports'
import { IANAZone } from 'luxon'
import { insertImportedBots } from '../bots/import-queries.js'
import { nicknamesFor } from '../bots/make-nicknames.js'
import { newSigningSecret } from '../bots/secrets.js'
import { now } from '../platform/clock.js'
import type { Db, Tx } from '../platform/db/index.js'
import {
  type ImportedPerson,
  insertImportedPeople,
  listKnownPeople,
  listPeopleNamed,
  listTakenNicknames,
} from '../users/import-queries.js'
import { countChatsOf } from './count-queries.js'
import { nicknamesFrom } from './nicknames.js'
import { type Pictures, storePictures } from './people-pictures.js'
import { findKeys, insertKeys, type Key, type RecordRow } from './queries.js'
import { type Outcome, outcome, type Phase, type Run } from './run-state.js'

type Row = RecordRow<PersonRecord>

/** Fills the names of people and bots that have keys already. */
export async function rememberPeople(db: Db, run: Run, ids: ReadonlyMap<string, number>) {
  const known = await listKnownPeople(db, [...new Set(ids.values())])
  for (const [source_id, id] of ids) {
    const person = known.get(id)
    if (person) run.people.set(source_id, person)
  }
}

interface Named {
  source_id: string
  body: { id: string; email: string | null }
}

interface Same {
  ids: Map<string, number>
  /** Those whom the mapping leads to nobody. */
  lost: string[]
}

/** Who is here already: by the mapping first, then by mail address. Never by name. */
export async function findSame(db: Db, { mapping }: Run, rows: readonly Named[]): Promise<Same> {
  const mappedTo = ({ body }: Named) => mapping.people?.[body.id]?.toLowerCase()
  const known = await listPeopleNamed(
    db,
    rows.flatMap((row) => [mappedTo(row), row.body.email].filter((name) => typeof name === 'string')),
  )
  const byMail = new Map(known.flatMap(({ id, email }) => (email ? [[email, id] as const] : [])))
  const byNickname = new Map(known.map(({ id, nickname }) => [nickname.toLowerCase(), id]))
  const same: Same = { ids: new Map(), lost: [] }
  for (const row of rows) {
    const { source_id, body } = row
    const mapped = mappedTo(row) ?? ''
    const meant = byMail.get(mapped) ?? byNickname.get(mapped)
    const id = meant ?? byMail.get(body.email ?? '')
    if (mapped && meant === undefined) same.lost.push(source_id)
    if (id !== undefined) same.ids.set(source_id, id)
  }
  return same
}

/** Takes the first free nickname for each, in the order given: one question for all, and again for those that are taken. */
export async function pickNicknames(db: Db, candidates: readonly Generator<string>[]): Promise<string[]> {
  const picked: (string | undefined)[] = candidates.map(() => undefined)
  const used = new Set<string>()
  for (
    let open = [...candidates.keys()];
    open.length > 0;
    open = open.filter((at) => picked[at] === undefined)
  ) {
    const tried = open.map((at) => [at, nextUnused(candidates[at] as Generator<string>, used)] as const)
    const taken = await listTakenNicknames(
      db,
      tried.map(([, name]) => name),
    )
    for (const [at, name] of tried) if (!taken.has(name.toLowerCase())) picked[at] = name
  }
  return picked as string[]
}

function nextUnused(names: Generator<string>, used: Set<string>): string {
  // The names never end.
  let name = names.next().value as string
  while (used.has(name.toLowerCase())) name = names.next().value as string
  used.add(name.toLowerCase())
  return name
}

/** A guest of one chat has exactly one. */
function roleOf({ role }: PersonRecord, chats: number): string {
  return role === 'guest' && chats !== 1 ? 'multi_guest' : role
}

/** Accounts of the source with the same address are one person: the first is made, the others join it. */
function joinByMail(rows: readonly Row[]) {
  const byMail = new Map<string, string>()
  const made: Row[] = []
  const joined: [source_id: string, first: string][] = []
  for (const row of rows) {
    const first = row.body.email ? byMail.get(row.body.email) : undefined
    if (first) joined.push([row.source_id, first])
    else {
      made.push(row)
      if (row.body.email) byMail.set(row.body.email, row.source_id)
    }
  }
  return { made, joined }
}

function personOf(
  body: PersonRecord,
  chats: number,
): Omit<ImportedPerson, 'nickname' | 'image_key' | 'created_at'> {
  return {
    bot: false,
    role: roleOf(body, chats),
    email: body.state === 'placeholder' ? null : body.email,
    first_name: cut(body.first_name, 255),
    last_name: cut(body.last_name ?? '', 255) || null,
    phone_number: cut(body.phone ?? '', 255) || null,
    title: cut(body.title ?? '', 255) || null,
    time_zone: body.time_zone && IANAZone.isValidZone(body.time_zone) ? body.time_zone : null,
    suspended: body.state === 'suspended',
    deleted: body.state === 'placeholder',
  }
}

/** What those in charge want to know of people who are new here. */
function remarksOn({ source_id, body }: Row, nickname: string): Remark[] {
  if (body.state === 'placeholder')
    return [remark('warning', 'person', 'comes as an author alone, who cannot sign in', source_id)]
  const told: Remark[] = []
  if (body.email === null && body.state === 'active')
    told.push(
      remark('warning', 'person', 'has no mail address, and cannot sign in before there is one', source_id),
    )
  if (nickname.toLowerCase() !== body.handle.toLowerCase())
    told.push(
      remark('warning', 'person', 'has another nickname here', `${source_id}: ${body.handle} → ${nickname}`),
    )
  return told
}

/** Pictures of those who will be made. Whoever is here already keeps the own one. */
async function preparePeople(run: Run, rows: readonly Row[]): Promise<Pictures> {
  const { db } = run.ctx
  const drawn = rows.filter(({ body, repeated }) => body.picture && body.state !== 'placeholder' && !repeated)
  const ids = drawn.map(({ source_id }) => source_id)
  const before = await findKeys(db, run.row, 'person', ids)
  const { ids: same } = await findSame(db, run, drawn)
  const fresh = rows.filter(({ source_id }) => !before.has(source_id) && !same.has(source_id))
  return storePictures(
    run,
    joinByMail(fresh).made.filter((row) => drawn.includes(row)),
  )
}

async function writePeople(tx: Tx, run: Run, rows: readonly Row[], pictures: Pictures): Promise<Outcome> {
  const before = await findKeys(
    tx,
    run.row,
    'person',
    rows.map(({ source_id }) => source_id),
  )
  const fresh = rows.filter(({ source_id }) => !before.has(source_id))
  const { ids: same, lost } = await findSame(tx, run, fresh)
  const keys: Key[] = [...same].map(([source_id, id]) => ({ source_id, id, made: false }))
  const { made, joined } = joinByMail(fresh.filter(({ source_id }) => !same.has(source_id)))
  const guests = made.filter(({ body }) => body.role === 'guest')
  const chats = await countChatsOf(
    tx,
    guests.map(({ source_id }) => source_id),
  )
  const nicknames = await pickNicknames(
    tx,
    made.map(({ body }) => nicknamesFrom(body.handle)),
  )
  const created_at = now(run.ctx.clock)
  const people = made.map((row, index) => ({
    ...personOf(row.body, chats.get(row.source_id) ?? 0),
    nickname: nicknames[index] as string,
    image_key: pictures.names.get(row.source_id) ?? null,
    created_at,
  }))
  const ids = await insertImportedPeople(tx, people, created_at)
  for (const [index, { source_id }] of made.entries())
    keys.push({ source_id, id: ids[index] as number, made: true })
  const idOf = new Map(keys.map(({ source_id, id }) => [source_id, id]))
  for (const [source_id, first] of joined)
    keys.push({ source_id, id: idOf.get(first) as number, made: false })
  await insertKeys(tx, run.row, 'person', keys)
  await rememberPeople(
    tx,
    run,
    new Map([...before, ...keys.map(({ source_id, id }) => [source_id, id] as const)]),
  )
  const remarks = [
    ...lost.map((source_id) => remark('warning', 'person', 'is mapped to nobody here', source_id)),
    ...made.flatMap((row, index) => remarksOn(row, nicknames[index] as string)),
  ]
  return {
    ...outcome(),
    written: made.length,
    merged: rows.length - made.length,
    remarks: [...remarks, ...pictures.remarks],
  }
}

export const people: Phase<PersonRecord, Pictures> = {
  kind: 'person',
  batch: 500,
  prepare: preparePeople,
  write: writePeople,
}

type BotRow = RecordRow<BotRecord>

async function prepareBots(run: Run, rows: readonly BotRow[]): Promise<Pictures> {
  const drawn = rows.filter(({ body, repeated }) => body.picture && !repeated)
  const ids = drawn.map(({ source_id }) => source_id)
  const before = await findKeys(run.ctx.db, run.row, 'person', ids)
  return storePictures(
    run,
    drawn.filter(({ source_id }) => !before.has(source_id)),
  )
}

/** Bots of the importing admin, without tokens and addresses. */
async function writeBots(tx: Tx, run: Run, rows: readonly BotRow[], pictures: Pictures): Promise<Outcome> {
  const before = await findKeys(
    tx,
    run.row,
    'person',
    rows.map(({ source_id }) => source_id),
  )
  const made = rows.filter(({ source_id }) => !before.has(source_id))
  const nicknames = await pickNicknames(
    tx,
    made.map(({ body }) => nicknamesFor(body.handle)),
  )
  const created_at = now(run.ctx.clock)
  const ids = await insertImportedPeople(
    tx,
    made.map(({ body, source_id }, index) => ({
      bot: true,
      role: 'user',
      email: null,
      first_name: cut(body.name, 255),
      last_name: null,
      nickname: nicknames[index] as string,
      phone_number: null,
      title: null,
      time_zone: null,
      suspended: false,
      deleted: false,
      image_key: pictures.names.get(source_id) ?? null,
      created_at,
    })),
    created_at,
  )
  await insertImportedBots(
    tx,
    ids.map((user_id) => ({ user_id, creator_id: run.row.user_id, signing_secret: newSigningSecret() })),
  )
  const keys = made.map(({ source_id }, index) => ({ source_id, id: ids[index] as number, made: true }))
  // People and bots write messages alike, so that they share one kind of key.
  await insertKeys(tx, run.row, 'person', keys)
  await rememberPeople(
    tx,
    run,
    new Map([...before, ...keys.map(({ source_id, id }) => [source_id, id] as const)]),
  )
  return { ...outcome(), written: made.length, merged: before.size, remarks: pictures.remarks }
}

export const bots: Phase<BotRecord, Pictures> = {
  kind: 'bot',
  batch: 500,
  prepare: prepareBots,
  write: writeBots,
}
