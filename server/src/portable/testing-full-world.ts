import { randomUUID } from 'node:crypto'
import * as api from '@parley/contract'
import { sql } from 'kysely'
import type { World } from '../testing/world.js'

/** What must not leave the server, planted where it is kept. */
export const SECRETS = [
  'planted-password-hash',
  'planted-token-mask',
  'planted-signing-secret',
  'planted-old-signing-secret',
  'planted-inbound-key',
  'planted-challenge-key',
  'planted-client-secret-hash',
  'planted-invite-nonce',
  'planted-reset-nonce',
  'planted-webhook-path',
  'planted-sealed-answer',
  'planted-endpoint-path',
  'planted-endpoint-header',
]

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})

/** Messages in every state: edited, deleted, answered, forwarded, reacted to, pinned, with files, in a thread. */
async function talk(w: World) {
  const { alice, bob, mia, office, ctx } = w
  const { data: first } = await alice.call(
    api.createMessage,
    saying(office.id, 'hello **@bob**, @all and @sales'),
  )
  await bob.call(api.createMessage, saying(office.id, 'an answer', { parent_message_id: first.id }))
  const key = `attaches/files/${alice.id}/${randomUUID()}/plan ü.txt`
  await ctx.storage.write(key, Buffer.from('the plan'))
  const lost = `attaches/files/${alice.id}/${randomUUID()}/lost.txt`
  await ctx.storage.write(lost, Buffer.from('gone'))
  const { data: carrying } = await alice.call(
    api.createMessage,
    saying(office.id, 'with files', {
      files: [
        { key, name: 'plan ü.txt', file_type: 'file', size: 8 },
        { key: lost, name: 'lost.txt', file_type: 'file', size: 4 },
      ],
    }),
  )
  await ctx.storage.remove(lost)
  await speak(w)
  const { data: thread } = await bob.call(api.createThread, { params: { id: first.id } })
  const comment = { entity_type: 'thread' as const, entity_id: thread.id, content: 'in the thread' }
  const { data: reply } = await mia.call(api.createMessage, { body: { message: comment } })
  await alice.call(api.forwardMessage, {
    params: { id: reply.id },
    body: { entity_type: 'user', entity_id: bob.id },
  } as never)
  const { data: typo } = await bob.call(api.createMessage, saying(office.id, 'tpyo'))
  await bob.call(api.updateMessage, { params: { id: typo.id }, body: { message: { content: 'typo' } } })
  const { data: regret } = await bob.call(api.createMessage, saying(office.id, 'regret'))
  await bob.call(api.deleteMessage, { params: { id: regret.id } })
  for (const person of [alice, mia])
    await person.call(api.addReaction, { params: { id: first.id }, body: { code: '👍' } })
  await alice.call(api.pinMessage, { params: { id: carrying.id } })
  await ctx.storage.write('previews/p.webp', Buffer.from('a picture'))
  await sql`insert into link_previews values (${first.id}, 0, 'https://example.org', 'Title', 'Text', null, 'previews/p.webp')`.execute(
    ctx.db,
  )
  return { first }
}

/** A voice message that was transcribed; its bytes are those of another file. */
async function speak({ alice, office, ctx }: World) {
  const key = `attaches/files/${alice.id}/${randomUUID()}/said.ogg`
  await ctx.storage.write(key, Buffer.from('the plan'))
  const about = { name: 'said.ogg', file_type: 'voice', size: 8, duration_ms: 900, waveform: 'AAEC' }
  await alice.call(api.createMessage, saying(office.id, '', { files: [{ key, ...about }] }))
  await sql`update files set transcript = 'the plan is ready' where key = ${key}`.execute(ctx.db)
}

/** Notification settings, in general and of a chat. */
async function tellLess(person: World['alice'], id: number) {
  const notifications = {
    level: 'all' as const,
    keywords: ['deploy'],
    quiet_hours: { from: '22:00', to: '07:30' },
    sound: false,
    mail_digest: 'daily' as const,
    mail_language: 'ru' as const,
  }
  await person.call(api.updateNotificationSettings, { body: { notifications } })
  const body = { level: 'nothing' as const, muted_until: '2031-01-02T03:04:05Z' }
  await person.call(api.setChatNotifications, { params: { id }, body })
}

/** People with everything that is known of them, tags, fields, and chats that follow tags. */
async function people({ owner, alice, bob, person, as, office, ctx }: World) {
  const session = await as(owner.id, { session: true })
  const { data: tag } = await owner.call(api.createGroupTag, { body: { group_tag: { name: 'sales' } } })
  await sql`insert into user_tags values (${tag.id}, ${alice.id}), (${tag.id}, ${bob.id})`.execute(ctx.db)
  const gone = await person({ nickname: 'gone' })
  await person({ nickname: 'away', suspended: true })
  await sql`update users set deleted_at = now(), email = null where id = ${gone.id}`.execute(ctx.db)
  await ctx.storage.write('avatars/abcdefghijklmnopqrstuvwx.png', Buffer.from('a face'))
  await sql`update users set image_key = 'abcdefghijklmnopqrstuvwx.png', department = 'Sales', title = 'Head', phone_number = '1',
    time_zone = 'Europe/Oslo', inviter_id = ${owner.id}, status = '{"emoji":"🏠","title":"home"}' where id = ${alice.id}`.execute(
    ctx.db,
  )
  await sql`insert into preferences values (${alice.id}, '{"theme":"dark"}', now())`.execute(ctx.db)
  await tellLess(alice, office.id)
  await sql`insert into custom_properties (entity_type, name, data_type, created_at)
    values ('User', 'Room', 'string', now()), ('Task', 'Cost', 'number', now())`.execute(ctx.db)
  await sql`insert into user_properties select ${alice.id}, id, '12' from custom_properties where entity_type = 'User'`.execute(
    ctx.db,
  )
  await sql`insert into chat_tags values (${office.id}, ${tag.id})`.execute(ctx.db)
  await sql`update chat_members set tag_ids = array[${tag.id}::bigint], manual = false where chat_id = ${office.id}
    and user_id = ${alice.id}`.execute(ctx.db)
  await session.call(api.updateRetention, { body: { days: { channel: 365 } } })
  await sql`insert into dlp_rules (name, priority, enabled, body, created_at, updated_at)
    values ('cards', 1, false, '{"conditions":[]}', now(), now())`.execute(ctx.db)
}

/** Drafts and tasks, once and again and again. */
async function plans({ alice, bob, office, ctx }: World, parent: number) {
  await sql`insert into drafts (user_id, chat_id, content, parent_message_id, created_at, updated_at)
    values (${bob.id}, ${office.id}, 'unsent', ${parent}, now(), now())`.execute(ctx.db)
  await sql`insert into drafts (user_id, to_user_id, content, interval, start_date, days, next_send_at, due_at, utc_offset, time_zone,
      created_at, updated_at)
    values (${alice.id}, ${bob.id}, 'standup', 'weekly', '2030-01-07 09:00+00', '{1,3}', '2030-01-07 09:00+00',
      '2030-01-07 09:00+00', 60, 'Europe/Oslo', now(), now())`.execute(ctx.db)
  const key = `attaches/files/${alice.id}/${randomUUID()}/agenda.txt`
  await ctx.storage.write(key, Buffer.from('the plan'))
  await sql`insert into files (owner_id, key, name, file_type, size, draft_id, created_at)
    select ${alice.id}, ${key}, 'agenda.txt', 'file', 8, id, now() from drafts where content = 'standup'`.execute(
    ctx.db,
  )
  await sql`with made as (insert into tasks (kind, content, due_at, priority, user_id, chat_id, remind_at, created_at)
      values ('call', 'ring up', '2030-01-01', 2, ${alice.id}, ${office.id}, '2029-12-31', now()) returning id),
    performing as (insert into task_performers select id, ${bob.id} from made)
    insert into task_properties select made.id, p.id, '5' from made, custom_properties p where p.entity_type = 'Task'`.execute(
    ctx.db,
  )
}

/** Everything that the server keeps to itself. */
async function secrets({ alice, bob, bot, office, ctx }: World) {
  await ctx.storage.write('attaches/promo.png', Buffer.from('an advertisement'))
  await sql`update users set password_hash = 'planted-password-hash' where id = ${alice.id}`.execute(ctx.db)
  await sql`update tokens set mask = 'planted-token-mask'`.execute(ctx.db)
  await sql`update bots set signing_secret = 'planted-signing-secret', old_signing_secret = 'planted-old-signing-secret',
    inbound_key = 'planted-inbound-key', challenge_key = 'planted-challenge-key', outgoing_url = 'https://example.org/planted-webhook-path',
    oauth_client = '{"client_id":"c","secret_hash":"planted-client-secret-hash","secret_mask":"","confidential":true,"redirect_uris":[],"scopes":[],"enabled":true}',
    commands = '{/deploy}', template = 'hi', promo = '{"description":"Helps","published":true,"promo_images":["attaches/promo.png"]}'
    where user_id = ${bot.id}`.execute(ctx.db)
  const address = { url: 'https://example.org/', trigger: 'all_messages' as const }
  const headers = { Authorization: 'planted-endpoint-header' }
  await bot.call(api.createOwnEndpoint, { body: { name: 'archive', ...address, headers } })
  await bot.call(api.createOwnEndpoint, {
    body: { name: 'Búild', ...address, chat_ids: [office.id], signature: 'ed25519' },
  })
  await sql`update endpoints set url = url || 'planted-endpoint-path', disabled = signature = 'ed25519'`.execute(
    ctx.db,
  )
  await sql`insert into invites values (${bob.id}, 'planted-invite-nonce', now())`.execute(ctx.db)
  await sql`insert into password_resets values (${bob.id}, 'planted-reset-nonce', now(), now())`.execute(
    ctx.db,
  )
  await sql`insert into idempotency_keys values (1, 'createMessage', 'k', '\\x00', 200, now(), 'planted-sealed-answer')`.execute(
    ctx.db,
  )
}

/** Fills a world with one of everything that a workspace can hold. */
export async function fillWorld(world: World) {
  const { alice, bob, office, news, attic, clock, drain, ctx } = world
  await people(world)
  const { first } = await talk(world)
  clock.advance(60_000)
  await alice.call(api.createMessage, saying(news.id, 'news for all'))
  await sql`insert into messages (chat_id, root_chat_id, user_id, content, system, system_event, created_at, changed_at)
    values (${attic.id}, ${attic.id}, ${alice.id}, 'Alice archived the chat', true,
      ${JSON.stringify({ kind: 'chat_archived', actor_id: alice.id, user_ids: [bob.id], users_count: 1, name: null })}, now(), now())`.execute(
    ctx.db,
  )
  await sql`update chats set description = 'Where we sit' where id = ${office.id}`.execute(ctx.db)
  await plans(world, first.id)
  await secrets(world)
  await drain()
}
