// Who and what the attacks meet: people with sessions, bots with templates, a rule against card numbers, a file.
import { newTokenValue, scopesOf } from '../../server/dist/oauth/tokens.js'
import { hashToken } from '../../server/dist/platform/http/holders.js'
import { makeBots } from '../stage/people.mjs'
import { gather } from '../torture/cast.mjs'

const SLOW_BOTS = 20
const SLOW_TEMPLATE = `${'{{#items}}'.repeat(12)}x${'{{/items}}'.repeat(12)}`
const REACHING_TEMPLATE =
  '[{{constructor.name}}{{toString}}{{list.join}}{{#list}}{{.}}{{/list}}{{__proto__}}]'
const RULE = {
  conditions: { any: [{ type: 'regex', pattern: '\\b(?:\\d[ -]?){15}\\d\\b' }] },
  action: { type: 'BLOCK_AND_AUDIT_LOG' },
}

async function makeToken(db, user_id, kind, scopes) {
  const token = newTokenValue()
  await db.query(
    `insert into tokens (user_id, kind, hash, mask, scopes, created_at)
     values ($1, $2, $3, 'abuse', $4, date_trunc('milliseconds', now()))`,
    [user_id, kind, hashToken(token), scopes],
  )
  return token
}

const setTemplate = (db, bots, template) =>
  db.query(`update bots set template = $2, template_engine = 'mustache' where user_id = any($1)`, [
    bots,
    template,
  ])

export const join = (db, chat, bots) =>
  db.query(
    `insert into chat_members (chat_id, user_id, role, joined_at)
     select $1, u, 'member', date_trunc('milliseconds', now()) from unnest($2::bigint[]) u`,
    [chat, bots],
  )

export async function furnish(db) {
  const cast = await gather(db, { urlOf: () => '' })
  const [writer] = cast.writers
  const slow = await makeBots(db, { count: SLOW_BOTS, url: '', creator: writer.id })
  const [honest, closed] = await makeBots(db, { count: 2, url: '', creator: cast.manager.id })
  await setTemplate(db, slow, SLOW_TEMPLATE)
  await setTemplate(db, [closed], REACHING_TEMPLATE)
  await join(db, cast.rooms[5], [honest, closed])
  await db.query(
    `insert into dlp_rules (name, priority, enabled, body, created_at, updated_at) values ('cards', 1, true, $1, now(), now())`,
    [JSON.stringify(RULE)],
  )
  const { rows } = await db.query('select user_id, inbound_key from bots')
  const keys = new Map(rows.map((row) => [Number(row.user_id), `/webhooks/${row.inbound_key}`]))
  return {
    ...cast,
    inbound: keys.get(honest),
    closedBot: closed,
    closedInbound: keys.get(closed),
    slowInbound: slow.map((id) => keys.get(id)),
    session: await makeToken(db, writer.id, 'session', scopesOf('user')),
    botToken: await makeToken(db, cast.steady[0], 'bot', ['views:write', 'messages:create']),
  }
}

/** Uploads a file, sends it, and gives the address that it is downloaded from. */
export async function sendFile(send, token, room) {
  const { body: form } = await send('POST', '/uploads', { token, expect: [201] })
  const { direct_url, ...fields } = form.data ?? form
  const file = new File(['x'.repeat(100_000)], 'a.txt')
  await send('POST', direct_url, { form: { ...fields, file }, expect: [204] })
  const files = [
    { key: fields.key.replace('${filename}', 'a.txt'), name: 'a.txt', file_type: 'file', size: 100_000 },
  ]
  const message = { entity_id: room, content: 'a file', files }
  const { body } = await send('POST', '/messages', { token, body: { message }, expect: [201] })
  return body.data.files[0].url
}
