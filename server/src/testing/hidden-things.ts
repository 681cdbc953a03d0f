import * as api from '@parley/contract'
import { upload } from './upload.js'
import type { Person, World } from './world.js'

/** A word that stands in every name and text of what is hidden: an answer that holds it tells something. */
export const HIDDEN_WORD = 'zebra'

export type Ids = Record<string, number | string>

const idOf = (answer: unknown) => (answer as { data: { id: number } }).data.id

/** A closed chat of alice and of these people, with one of each thing that a chat holds. */
export async function hideChat({ alice }: World, members: readonly Person[]): Promise<Ids> {
  const text = `${HIDDEN_WORD} plans`
  const member_ids = members.map(({ id }) => id)
  const chat = idOf(await alice.call(api.createChat, { body: { chat: { name: text, member_ids } } }))
  const key = await upload(alice, `${HIDDEN_WORD}.txt`)
  const { data: message } = await alice.call(api.createMessage, {
    body: {
      message: {
        entity_id: chat,
        content: text,
        files: [{ key, name: `${HIDDEN_WORD}.txt`, file_type: 'file', size: 9 }],
      },
    },
  })
  const thread = idOf(await alice.call(api.createThread, { params: { id: message.id } }))
  const task = idOf(
    await alice.call(api.createTask, { body: { task: { kind: 'call', content: text, chat_id: chat } } }),
  )
  return { chat, message: message.id, file: message.files[0]?.id as number, thread, task }
}

/** What belongs to a bot that alice alone edits. */
async function hideBot({ alice, ctx, clock, office }: World): Promise<Ids> {
  const webhook = { name: HIDDEN_WORD, outgoing_url: 'https://bots.example.org/', can_edit: [] }
  const { data: bot } = await alice.call(api.createBot, { body: { webhook } })
  const params = { id: bot.id }
  const endpoint = { name: HIDDEN_WORD, url: 'https://bots.example.org/' }
  const from = new Date(clock.now()).toISOString()
  const delivery = await ctx.db
    .insertInto('deliveries')
    .values({
      bot_id: bot.id,
      chat_id: office.id,
      event_id: HIDDEN_WORD,
      event_type: 'message_new',
      payload: JSON.stringify({ content: HIDDEN_WORD }),
      state: 'failed',
      created_at: new Date(clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const queued_event = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
  await ctx.db
    .insertInto('queued_events')
    .values({
      id: queued_event,
      bot_id: bot.id,
      event_type: 'message_new',
      payload: JSON.stringify({ content: HIDDEN_WORD }),
      created_at: new Date(clock.now()),
    })
    .execute()
  const view = { title: HIDDEN_WORD, blocks: [{ type: 'date' as const, name: 'day', label: 'Day' }] }
  await alice.call(api.openSampleForm, { params, body: { view } })
  const opened = await ctx.db.selectFrom('views').select('id').executeTakeFirstOrThrow()
  return {
    bot: bot.id,
    bot_token: idOf(
      await alice.call(api.issueBotToken, { params, body: { name: HIDDEN_WORD, scopes: ['messages:read'] } }),
    ),
    endpoint: idOf(await alice.call(api.createEndpoint, { params, body: endpoint })),
    replay: idOf(await alice.call(api.createReplay, { params, body: { from } })),
    delivery: delivery.id,
    queued_event,
    view: opened.id,
  }
}

/** What belongs to alice alone. */
async function hideOwn(scene: World): Promise<Ids> {
  const { alice, owner, ctx, clock, office } = scene
  const session = await scene.as(alice.id, { session: true })
  const draft = { entity_type: 'discussion' as const, entity_id: office.id, content: HIDDEN_WORD }
  const token = (name: string, limits?: api.TokenLimits) =>
    session.call(api.createPersonalToken, {
      body: { name, scopes: ['messages:create'], ...(limits && { limits }) },
    })
  const login = idOf(await token(HIDDEN_WORD))
  await ctx.db.updateTable('tokens').set({ kind: 'cli' }).where('id', '=', login).execute()
  const approved = await token(HIDDEN_WORD, { approval: 'writes' })
  const asking = await fetch(`${scene.url}/v1/messages`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${approved.data.access_token}`,
      'Content-Type': 'application/json',
      'X-Request-Id': `${HIDDEN_WORD}-refused`,
    },
    body: JSON.stringify({ message: { entity_id: office.id, content: HIDDEN_WORD } }),
  })
  await asking.text()
  const { data: subscription } = await session.call(api.addPushSubscription, {
    body: {
      subscription: {
        endpoint: 'https://push.example.org/hidden',
        keys: {
          p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
          auth: 'tBHItJI5svbpez7KI4CCXg',
        },
      },
    },
  })
  const passkey = await ctx.db
    .insertInto('passkeys')
    .values({
      user_id: alice.id,
      name: HIDDEN_WORD,
      credential_id: HIDDEN_WORD,
      public_key: Buffer.alloc(1),
      counter: 0,
      transports: [],
      created_at: new Date(clock.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: session_id } = await ctx.db
    .selectFrom('tokens')
    .select('id')
    .where('user_id', '=', alice.id)
    .where('kind', '=', 'session')
    .executeTakeFirstOrThrow()
  const { id: approval } = await ctx.db.selectFrom('approvals').select('id').executeTakeFirstOrThrow()
  await owner.call(api.orderExport, { body: { start_at: '2026-01-01', end_at: '2026-01-02' } })
  const ordered = await ctx.db.selectFrom('exports').select('id').executeTakeFirstOrThrow()
  const ownerSession = await scene.as(owner.id, { session: true })
  const provider = { slug: HIDDEN_WORD, name: HIDDEN_WORD, issuer: 'https://id.example.org', client_id: 'x' }
  return {
    draft: idOf(await alice.call(api.createDraft, { body: { draft } })),
    personal_token: idOf(await token(HIDDEN_WORD)),
    login,
    approval,
    refusal: asking.headers.get('x-request-id') as string,
    push: subscription.id,
    passkey: passkey.id,
    session: session_id,
    identity: idOf(await ownerSession.call(api.createIdentityProvider, { body: provider })),
    export: ordered.id,
    user: (await scene.person({ nickname: HIDDEN_WORD })).id,
  }
}

/** One of every kind of thing that somebody may not see. */
export async function hideThings(scene: World): Promise<Ids> {
  return { ...(await hideChat(scene, [])), ...(await hideBot(scene)), ...(await hideOwn(scene)) }
}
