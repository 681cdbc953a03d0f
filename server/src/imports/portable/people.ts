import { type Line, remark } from '@parley/imports'
import { nicknamesFor } from '../../bots/make-nicknames.js'
import { insertPortableBots } from '../../bots/portable-queries.js'
import { newInboundKey, newSigningSecret } from '../../bots/secrets.js'
import { insertPortableNotifications } from '../../notifications/portable-queries.js'
import type { Tx } from '../../platform/db/index.js'
import type { JsonRow } from '../../platform/db/json-row.js'
import { listPeopleNamed } from '../../users/import-queries.js'
import {
  insertPortablePreferences,
  insertPortableUsers,
  updatePortableOwner,
} from '../../users/portable-queries.js'
import { nicknamesFrom } from '../nicknames.js'
import { findKeys, findRecords, insertKeys } from '../queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { findSame, pickNicknames, rememberPeople } from '../write-people.js'
import { idsFor, keysOf, personId, phase, type Rows, sourceIds } from './phase.js'
import { storePicture } from './pictures.js'

type Pictures = Map<string, string | null>

const avatarKey = (name: string, extension: string) =>
  `avatars/${name}.${extension === 'webp' ? 'png' : extension}`

async function storeAvatars(run: Run, rows: Rows<'person'> | Rows<'bot'>): Promise<Pictures> {
  const pictures: Pictures = new Map()
  for (const { source_id, body } of rows) {
    const key = await storePicture(run, body.picture, `person ${source_id}`, avatarKey)
    pictures.set(source_id, key?.slice('avatars/'.length) ?? null)
  }
  return pictures
}

/** The owner is written with the first batch, whichever holds the line. */
async function storePeoplePictures(run: Run, rows: Rows<'person'>): Promise<Pictures> {
  const pictures = await storeAvatars(run, rows)
  const owner = String(run.row.user_id)
  if (!run.row.keeps_ids || pictures.has(owner)) return pictures
  const found = await findRecords<Line<'person'>>(run.ctx.db, 'person', [owner])
  const picture = found.get(owner)?.picture ?? null
  const key = await storePicture(run, picture, `person ${owner}`, avatarKey)
  return pictures.set(owner, key?.slice('avatars/'.length) ?? null)
}

function* nicknamesOf(nickname: string): Generator<string> {
  yield nickname
  yield* nicknamesFrom(nickname)
}

/** The nickname of somebody who is gone is nobody's, and need not be free. */
async function nicknamesFree(tx: Tx, rows: Rows<'person'>): Promise<Map<string, string>> {
  const present = rows.filter(({ body }) => body.deleted_at === null)
  const picked = await pickNicknames(
    tx,
    present.map(({ body }) => nicknamesOf(body.nickname)),
  )
  const free = new Map(present.map(({ source_id }, index) => [source_id, picked[index] as string]))
  for (const { source_id, body } of rows) if (body.deleted_at !== null) free.set(source_id, body.nickname)
  return free
}

/** Addresses that somebody else has are left out: two people with one could not sign in. */
async function mailsFree(tx: Tx, rows: Rows<'person'>): Promise<Set<string>> {
  const mails = rows.flatMap(({ body }) => (body.email && !body.deleted_at ? body.email.toLowerCase() : []))
  const taken = new Set((await listPeopleNamed(tx, mails)).map(({ email }) => email))
  return new Set(mails.filter((mail, index) => !taken.has(mail) && mails.indexOf(mail) === index))
}

function userOf(body: Line<'person'>, more: JsonRow<'users'>): JsonRow<'users'> {
  const { picture, preferences, notifications, inviter_id, ...columns } = body
  return { ...columns, bot: false, ...more }
}

/** The owner here becomes the owner of the file, before anybody could take the name. */
async function writeOwner(tx: Tx, run: Run, pictures: Pictures) {
  const known = await findKeys(tx, run.row, 'person', [String(run.row.user_id)])
  if (!run.row.keeps_ids || known.size > 0) return
  const [[source_id, body] = []] = await findRecords<Line<'person'>>(tx, 'person', [String(run.row.user_id)])
  if (!source_id || body?.role !== 'owner') return
  await updatePortableOwner(tx, userOf(body, { image_key: pictures.get(source_id) ?? null }))
  await writePreferences(tx, [[body, run.row.user_id]])
  await insertKeys(tx, run.row, 'person', [{ source_id, id: run.row.user_id, made: false }])
}

function notificationsOf(
  { quiet_hours, ...settings }: NonNullable<Line<'person'>['notifications']>,
  user_id: number,
) {
  return { user_id, ...settings, quiet_from: quiet_hours?.from ?? null, quiet_to: quiet_hours?.to ?? null }
}

async function writePreferences(tx: Tx, people: readonly [Line<'person'>, number][]) {
  await insertPortablePreferences(
    tx,
    people.flatMap(([{ preferences }, user_id]) => (preferences ? [{ user_id, ...preferences }] : [])),
  )
  await insertPortableNotifications(
    tx,
    people.flatMap(([{ notifications }, user_id]) =>
      notifications ? [notificationsOf(notifications, user_id)] : [],
    ),
  )
}

async function writePeople(tx: Tx, run: Run, rows: Rows<'person'>, pictures: Pictures): Promise<Outcome> {
  const result = outcome()
  await writeOwner(tx, run, pictures)
  const before = await findKeys(tx, run.row, 'person', sourceIds(rows))
  const fresh = rows.filter(({ source_id }) => !before.has(source_id))
  const same = run.row.keeps_ids
    ? new Map<string, number>()
    : (await findSame(tx, run, fresh.map(asNamed))).ids
  const made = fresh.filter(({ source_id }) => !same.has(source_id))
  const [nicknames, mails] = [await nicknamesFree(tx, made), await mailsFree(tx, made)]
  const ids = await idsFor(tx, run, 'users_id_seq', made)
  const users = made.map(({ body, source_id }, index) => {
    const nickname = nicknames.get(source_id) as string
    const email = body.deleted_at || mails.delete(body.email?.toLowerCase() ?? '') ? body.email : null
    if (email !== body.email)
      result.remarks.push(remark('lost', 'person', 'has the mail address of somebody else', source_id))
    if (nickname !== body.nickname)
      result.remarks.push(remark('warning', 'person', `is called ${nickname} here`, source_id))
    const role = body.role === 'owner' ? 'admin' : body.role
    return userOf(body, { id: ids[index], nickname, email, role, image_key: pictures.get(source_id) ?? null })
  })
  await insertPortableUsers(tx, users)
  const keys = [...[...same].map(([source_id, id]) => ({ source_id, id, made: false })), ...keysOf(made, ids)]
  await insertKeys(tx, run.row, 'person', keys)
  if (run.row.keeps_ids)
    await writePreferences(
      tx,
      made.map(({ body }, index) => [body, ids[index] as number]),
    )
  await rememberPeople(
    tx,
    run,
    new Map([...before, ...keys.map(({ source_id, id }) => [source_id, id] as const)]),
  )
  return { ...result, written: made.length, merged: rows.length - made.length }
}

const asNamed = ({ source_id, body }: Rows<'person'>[number]) => ({
  source_id,
  body: { id: source_id, email: body.deleted_at ? null : (body.email?.toLowerCase() ?? null) },
})

export const people = phase('person', 500, writePeople, storePeoplePictures)

function* botNicknamesOf(nickname: string): Generator<string> {
  if (/_bot$/i.test(nickname)) yield nickname
  yield* nicknamesFor(nickname)
}

interface BotPictures {
  avatars: Pictures
  promos: Map<string, string[]>
}

async function storeBotPictures(run: Run, rows: Rows<'bot'>): Promise<BotPictures> {
  const promos = new Map<string, string[]>()
  for (const { source_id, body } of rows) {
    const keys: string[] = []
    for (const [index, sha256] of (body.promo?.pictures ?? []).entries()) {
      const key = await storePicture(run, sha256, `promo ${source_id} ${index}`, (name, extension) => {
        return `attaches/files/${run.row.user_id}/${name}/picture.${extension}`
      })
      if (key) keys.push(key)
    }
    promos.set(source_id, keys)
  }
  return { avatars: await storeAvatars(run, rows), promos }
}

/** Bots with their settings, and with secrets of this server that nobody knows yet. */
async function writeBots(tx: Tx, run: Run, rows: Rows<'bot'>, pictures: BotPictures): Promise<Outcome> {
  const before = await findKeys(tx, run.row, 'person', sourceIds(rows))
  const made = rows.filter(({ source_id }) => !before.has(source_id))
  const present = made.filter(({ body }) => body.deleted_at === null)
  const picked = await pickNicknames(
    tx,
    present.map(({ body }) => botNicknamesOf(body.nickname)),
  )
  const nicknames = new Map(present.map(({ source_id }, index) => [source_id, picked[index]]))
  const ids = await idsFor(tx, run, 'users_id_seq', made)
  await insertPortableUsers(
    tx,
    made.map(({ body, source_id }, index) => ({
      id: ids[index],
      bot: true,
      role: 'user',
      first_name: body.name,
      nickname: nicknames.get(source_id) ?? body.nickname,
      suspended: body.suspended,
      invite_status: 'confirmed',
      sso: false,
      image_key: pictures.avatars.get(source_id) ?? null,
      created_at: body.created_at,
      deleted_at: body.deleted_at,
    })),
  )
  await insertPortableBots(
    tx,
    made.map(({ body, source_id }, index) =>
      settingsOf(run, body, ids[index] as number, pictures.promos.get(source_id)),
    ),
  )
  const keys = keysOf(made, ids)
  await insertKeys(tx, run.row, 'person', keys)
  await rememberPeople(
    tx,
    run,
    new Map([...before, ...keys.map(({ source_id, id }) => [source_id, id] as const)]),
  )
  return { ...outcome(), written: made.length, merged: before.size }
}

function settingsOf(
  run: Run,
  body: Line<'bot'>,
  user_id: number,
  promo_images: string[] = [],
): JsonRow<'bots'> {
  const { id, nickname, name, picture, suspended, created_at, deleted_at, type, promo, ...settings } = body
  return {
    ...settings,
    user_id,
    kind: type,
    creator_id: body.creator_id === null ? null : (personId(run, body.creator_id) ?? run.row.user_id),
    outgoing_url: body.outgoing_url ?? '',
    promo: promo && { description: promo.description, published: promo.published, promo_images },
    signing_secret: newSigningSecret(),
    inbound_key: newInboundKey(),
  }
}

export const bots = phase('bot', 500, writeBots, storeBotPictures)
