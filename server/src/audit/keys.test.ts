import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { OWNER } from '../testing/cluster.js'
import { type World, world } from '../testing/world.js'

type Cause = (stage: World) => Promise<unknown>

const saying = (entity_id: number, content = 'hello') => ({ body: { message: { entity_id, content } } })

async function message({ alice, office }: World) {
  return (await alice.call(api.createMessage, saying(office.id))).data
}

async function tag({ admin }: World, name = 'Sales') {
  return (await admin.call(api.createGroupTag, { body: { group_tag: { name } } })).data
}

async function taggedBob(stage: World, list_tags: string[]) {
  await stage.admin.call(api.updateUser, {
    params: { id: stage.bob.id },
    body: { user: { list_tags } },
  })
}

async function personalToken({ as, alice }: World) {
  const session = await as(alice.id, { session: true })
  const { data } = await session.call(api.createPersonalToken, {
    body: { name: 'mine', scopes: ['chats:read'] },
  })
  return { session, data: data as { id: number } }
}

async function newBot({ alice }: World) {
  return (await alice.call(api.createBot, { body: { webhook: { name: 'Robot' } } })).data
}

async function botToken(stage: World) {
  const bot = await newBot(stage)
  const { data } = await stage.alice.call(api.issueBotToken, {
    params: { id: bot.id },
    body: { name: 'second' },
  })
  return { bot_id: bot.id, token_id: (data as { id: number }).id }
}

async function bindTag(stage: World) {
  const { id } = await tag(stage)
  const params = { id: stage.office.id }
  await stage.alice.call(api.bindChatTags, { params, body: { group_tag_ids: [id] } })
  return id
}

/** What causes each key: the entity it names, the fields of its details, and the deed. */
const CAUSES: Partial<Record<api.AuditEventKey, [entity: string, details: string[], cause: Cause]>> = {
  user_login: ['User', [], ({ owner, ctx }) => signedIn(ctx.config.owner_email, owner)],
  user_logout: [
    'User',
    [],
    async ({ as, alice }) => (await as(alice.id, { session: true })).call(api.signOut),
  ],
  user_created: [
    'User',
    [],
    ({ admin }) => admin.call(api.createUser, { body: { user: { email: 'new@example.org' } } }),
  ],
  user_deleted: ['User', [], ({ admin, bob }) => admin.call(api.deleteUser, { params: { id: bob.id } })],
  user_role_changed: [
    'User',
    ['new_company_role', 'previous_company_role', 'initiator_id'],
    ({ owner, bob }) =>
      owner.call(api.updateUser, { params: { id: bob.id }, body: { user: { role: 'admin' } } }),
  ],
  user_updated: [
    'User',
    ['changed_attrs'],
    ({ admin, bob }) =>
      admin.call(api.updateUser, { params: { id: bob.id }, body: { user: { title: 'Baker' } } }),
  ],
  tag_created: ['GroupTag', ['name'], (stage) => tag(stage)],
  tag_deleted: [
    'GroupTag',
    ['name'],
    async (stage) => stage.admin.call(api.deleteGroupTag, { params: { id: (await tag(stage)).id } }),
  ],
  user_added_to_tag: ['GroupTag', ['initiator_id'], (stage) => taggedBob(stage, ['Sales'])],
  user_removed_from_tag: [
    'GroupTag',
    ['initiator_id'],
    async (stage) => {
      await taggedBob(stage, ['Sales'])
      await taggedBob(stage, [])
    },
  ],
  chat_created: ['Chat', [], ({ alice }) => alice.call(api.createChat, { body: { chat: { name: 'new' } } })],
  chat_renamed: [
    'Chat',
    ['old_name', 'new_name'],
    ({ alice, office }) =>
      alice.call(api.updateChat, { params: { id: office.id }, body: { chat: { name: 'other' } } }),
  ],
  chat_permission_changed: [
    'Chat',
    ['public_access'],
    ({ alice, office }) =>
      alice.call(api.updateChat, { params: { id: office.id }, body: { chat: { public: true } } }),
  ],
  user_chat_join: [
    'Chat',
    ['inviter_id'],
    ({ alice, office, admin }) =>
      alice.call(api.addChatMembers, { params: { id: office.id }, body: { member_ids: [admin.id] } }),
  ],
  user_chat_leave: [
    'Chat',
    ['initiator_id'],
    ({ bob, office }) => bob.call(api.leaveChat, { params: { id: office.id } }),
  ],
  tag_added_to_chat: ['GroupTag', ['chat_id', 'tag_name'], bindTag],
  tag_removed_from_chat: [
    'GroupTag',
    ['chat_id'],
    async (stage) => {
      const params = { id: stage.office.id, tag_id: await bindTag(stage) }
      await stage.alice.call(api.unbindChatTag, { params })
    },
  ],
  message_created: ['Message', [], message],
  message_updated: [
    'Message',
    [],
    async (stage) =>
      stage.alice.call(api.updateMessage, {
        params: { id: (await message(stage)).id },
        body: { message: { content: 'other' } },
      }),
  ],
  message_deleted: [
    'Message',
    [],
    async (stage) => stage.alice.call(api.deleteMessage, { params: { id: (await message(stage)).id } }),
  ],
  reaction_created: [
    'Reaction',
    [],
    async (stage) =>
      stage.bob.call(api.addReaction, { params: { id: (await message(stage)).id }, body: { code: '👍' } }),
  ],
  reaction_deleted: [
    'Reaction',
    [],
    async (stage) => {
      const params = { id: (await message(stage)).id }
      await stage.bob.call(api.addReaction, { params, body: { code: '👍' } })
      await stage.bob.call(api.removeReaction, { params, query: { code: '👍' } })
    },
  ],
  thread_created: [
    'TopicThread',
    [],
    async (stage) => stage.alice.call(api.createThread, { params: { id: (await message(stage)).id } }),
  ],
  access_token_created: ['AccessToken', ['scopes'], personalToken],
  access_token_updated: [
    'AccessToken',
    ['scopes'],
    async (stage) => {
      const { session, data } = await personalToken(stage)
      const body = { scopes: ['chats:read' as const, 'users:read' as const] }
      await session.call(api.updatePersonalToken, { params: { id: data.id }, body })
    },
  ],
  access_token_destroy: [
    'AccessToken',
    ['scopes'],
    async (stage) => {
      const { session, data } = await personalToken(stage)
      await session.call(api.deletePersonalToken, { params: { id: data.id } })
    },
  ],
  audit_events_accessed: ['User', [], ({ owner }) => owner.call(api.listAuditEvents, { query: {} })],
  company_chats_accessed: ['User', [], ({ owner }) => owner.call(api.listCompanyChats, { query: {} })],
  company_bots_accessed: ['User', [], ({ owner }) => owner.call(api.listCompanyBots, { query: {} })],
  dlp_violation_detected: [
    'Message',
    [
      'dlp_rule_id',
      'dlp_rule_name',
      'message_id',
      'chat_id',
      'user_id',
      'action_message',
      'conditions_matched',
    ],
    async (stage) => {
      const session = await stage.as(stage.owner.id, { session: true })
      const body = {
        conditions: { any: [{ type: 'keyword', value: 'hello' }] },
        action: { type: 'AUDIT_LOG' },
      }
      await session.call(api.createDlpRule, { body: { name: 'rule', priority: 1, body } })
      await message(stage)
    },
  ],
  search_users_api: search(({ alice }) => alice.call(api.searchUsers, { query: { query: 'bob' } })),
  search_chats_api: search(({ alice }) => alice.call(api.searchChats, { query: { query: 'office' } })),
  search_messages_api: search(({ alice }) => alice.call(api.searchMessages, { query: { query: 'hello' } })),
  bot_deleted: [
    'User',
    ['bot_id', 'actor_id'],
    async (stage) => stage.alice.call(api.deleteBot, { params: { id: (await newBot(stage)).id } }),
  ],
  bot_token_created: ['User', ['bot_id', 'actor_id'], newBot],
  bot_token_recreated: [
    'User',
    ['bot_id', 'actor_id'],
    async (stage) => stage.alice.call(api.rotateBotToken, { params: { id: (await newBot(stage)).id } }),
  ],
  bot_token_updated: [
    'User',
    ['bot_id', 'actor_id'],
    async (stage) => {
      const { bot_id, token_id } = await botToken(stage)
      await stage.alice.call(api.updateBotToken, {
        params: { id: bot_id, token_id },
        body: { name: 'renamed' },
      })
    },
  ],
  bot_token_reissued: [
    'User',
    ['bot_id', 'actor_id'],
    async (stage) => {
      const { bot_id, token_id } = await botToken(stage)
      await stage.alice.call(api.reissueBotToken, { params: { id: bot_id, token_id } })
    },
  ],
  bot_scopes_updated: [
    'User',
    ['bot_id', 'actor_id', 'added_scopes', 'removed_scopes'],
    async (stage) =>
      stage.alice.call(api.updateBot, {
        params: { id: (await newBot(stage)).id },
        body: { webhook: { scopes: ['chats:read'] } },
      }),
  ],
  bot_webhook_settings_updated: [
    'User',
    ['bot_id', 'actor_id', 'changes'],
    async (stage) =>
      stage.alice.call(api.updateBot, {
        params: { id: (await newBot(stage)).id },
        body: { webhook: { outgoing_url: 'https://example.org/hook' } },
      }),
  ],
}

function search(cause: Cause): [string, string[], Cause] {
  return ['User', ['search_type', 'query_present', 'cursor_present', 'limit', 'filters'], cause]
}

async function signedIn(email: string | null, client: World['owner']) {
  const body = { email: email ?? OWNER.email, password: OWNER.password }
  await client.call(api.signIn, { body })
}

/**
 * Keys whose deed takes a second factor, the sign-in pages of a browser, a bot that has them or a lost key: the tests of
 * `accounts/second-factor.test.ts`, `identities/identities.test.ts`, `scim/scim.test.ts`, `files/sealed.test.ts`, `consent/` and `bots/sign-in.test.ts`.
 */
const BY_SIGN_IN_PAGES: api.AuditEventKey[] = [
  'user_2fa_success',
  'user_2fa_fail',
  'user_2fa_disabled',
  'oauth_authorization_granted',
  'oauth_authorization_revoked',
  'oauth_device_authorization_approved',
  'oauth_device_authorization_denied',
  'bot_oauth_client_updated',
  'bot_oauth_client_disabled',
  'bot_oauth_client_secret_rotated',
  'identity_provider_created',
  'identity_provider_updated',
  'identity_provider_deleted',
  'user_identity_linked',
  'user_identity_unlinked',
  'password_sign_in_changed',
  'scim_token_created',
  'scim_token_deleted',
  'kms_decrypt',
]

/** Keys that nothing here can cause, and why; they stay words to filter by. */
const NEVER: Partial<Record<api.AuditEventKey, string>> = {
  kms_encrypt: 'each upload would write one, and sealing files anew belongs to no chat',
  video_call_started: 'there are no video calls',
  video_call_finished: 'there are no video calls',
  video_call_recording_ready: 'there are no video calls',
  exchange_disabled: 'there is no link to a calendar server',
}

const KEYS = api.AuditEventKey.enum

test('every key is caused here, shown elsewhere, or has a reason why it never comes', () => {
  const listed = [...Object.keys(CAUSES), ...BY_SIGN_IN_PAGES, ...Object.keys(NEVER)]
  assert.deepEqual([...listed].sort(), [...KEYS].sort())
})

for (const [key, [entity, details, cause]] of Object.entries(CAUSES)) {
  test(`${key} is written by what causes it, about a ${entity}`, async (t) => {
    const stage = await world(t)
    await cause(stage)
    await stage.drain()
    const event_key = key as api.AuditEventKey
    const { data } = await stage.owner.call(api.listAuditEvents, { query: { event_key } })
    assert.ok(data.length > 0, 'nothing was written')
    assert.equal(data[0]?.entity_type, entity)
    assert.deepEqual(Object.keys(data[0]?.details ?? {}).sort(), [...details].sort())
  })
}

for (const [key, reason] of Object.entries(NEVER)) {
  test(`${key} never comes: ${reason}; it stays a filter`, async (t) => {
    const { owner } = await world(t)
    const event_key = key as api.AuditEventKey
    assert.deepEqual((await owner.call(api.listAuditEvents, { query: { event_key } })).data, [])
  })
}
