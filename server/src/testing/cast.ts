import { randomBytes } from 'node:crypto'
import type { Role } from '@parley/contract'
import { joinByHand } from '../chats/roster-queries.js'
import { issueToken, scopesOf } from '../oauth/tokens.js'
import { type Clock, now } from '../platform/clock.js'
import type { Autocommit } from '../platform/db/index.js'

/** Who owns the workspace of every test database. */
export const OWNER = {
  id: 1,
  email: 'owner@parley.local',
  password: 'correct horse',
  token: 'owner-token-of-the-test-databases-00000000000',
}

/** Everybody else whom a world begins with; their ids follow that of the owner. */
const ROLES = { admin: 'admin', alice: 'user', bob: 'user', mia: 'multi_guest', helper_bot: 'bot' } as const
const NAMES = Object.keys(ROLES) as (keyof typeof ROLES)[]

const tokenOf = (name: string) => `${name}-token-of-the-test-databases-`.padEnd(43, '0')
const memberOf = (name: keyof typeof ROLES) => ({
  id: OWNER.id + 1 + NAMES.indexOf(name),
  token: tokenOf(name),
})

/** The people and chats of every world, with the same ids and tokens everywhere. */
export const CAST = {
  owner: OWNER,
  admin: memberOf('admin'),
  alice: memberOf('alice'),
  bob: memberOf('bob'),
  mia: memberOf('mia'),
  bot: memberOf('helper_bot'),
  office: { id: 1 },
  attic: { id: 2 },
  news: { id: 3 },
}
export const CAST_SIZE = NAMES.length

export interface NewUser {
  nickname: string
  role: Role | 'guest'
  first_name?: string
  suspended?: boolean
}

/** Adds somebody to the workspace, without a token. */
export async function addUser(db: Autocommit, clock: Clock, { nickname, role, ...more }: NewUser) {
  const { id } = await db
    .insertInto('users')
    .values({
      bot: role === 'bot',
      role: role === 'bot' ? 'user' : role,
      email: role === 'bot' ? null : `${nickname}@example.org`,
      first_name: more.first_name ?? nickname[0]?.toUpperCase() + nickname.slice(1),
      nickname,
      suspended: more.suspended ?? false,
      created_at: now(clock),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function addBot(db: Autocommit) {
  await db
    .insertInto('bots')
    .values({
      user_id: CAST.bot.id,
      creator_id: CAST.alice.id,
      trigger_on: 'all_messages',
      kind: 'simple',
      inbound_key: randomBytes(24).toString('base64url'),
      signing_secret: `whsec_${randomBytes(32).toString('base64')}`,
    })
    .execute()
}

interface NewChat {
  members: { id: number }[]
  kind?: string
  public?: boolean
  archived?: boolean
}

async function addChat(db: Autocommit, clock: Clock, name: 'office' | 'attic' | 'news', chat: NewChat) {
  const at = now(clock)
  const { id } = CAST[name]
  await db
    .insertInto('chats')
    .values({
      kind: chat.kind ?? 'conversation',
      name,
      public: chat.public ?? false,
      owner_id: CAST.alice.id,
      meet_slug: `${name}-00000000`,
      archived_at: chat.archived ? at : null,
      created_at: at,
      last_message_at: at,
    })
    .execute()
  const ids = chat.members.map((member) => member.id)
  await db.transaction().execute((tx) => joinByHand(tx, { clock }, { id }, ids))
}

/** Fills the workspace of a test database, whose owner is there already. */
export async function addCast(db: Autocommit, clock: Clock): Promise<void> {
  for (const nickname of NAMES) {
    const role = ROLES[nickname]
    const user_id = await addUser(db, clock, { nickname, role })
    const kind = role === 'bot' ? 'bot' : 'personal'
    const token = { user_id, kind, scopes: scopesOf(role), value: tokenOf(nickname) } as const
    await db.transaction().execute((tx) => issueToken(tx, { clock }, token))
  }
  await addBot(db)
  const { alice, bob, mia, bot } = CAST
  await addChat(db, clock, 'office', { members: [alice, bob, mia, bot] })
  await addChat(db, clock, 'attic', { members: [alice, bob], archived: true })
  await addChat(db, clock, 'news', { members: [alice], kind: 'channel', public: true })
}
