import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  addChatMembers,
  createDlpRule,
  createDraft,
  createMessage,
  createTask,
  createThread,
  deleteDlpRule,
  listAuditEvents,
  listDlpRules,
  listMessages,
  tryDlpRule,
  updateDlpRule,
  updateMessage,
  updateTask,
} from '@parley/contract'
import { type Person, type World, world } from '../testing/world.js'

const BLOCK = { type: 'BLOCK_AND_AUDIT_LOG', message: 'Not here, please.' }
const secret = { any: [{ type: 'keyword', value: 'secret' }] }

function rule(priority: number, conditions: object, action: object = BLOCK, scope?: object) {
  const body = { conditions, action, ...(scope ? { scope } : {}) }
  return { body: { name: `rule ${priority}`, priority, body } }
}

async function officer({ as, owner }: World): Promise<Person> {
  return as(owner.id, { session: true })
}

const saying = (entity_id: number, content: string) => ({ body: { message: { entity_id, content } } })

async function violations({ owner }: World) {
  const { data } = await owner.call(listAuditEvents, { query: { event_key: 'dlp_violation_detected' } })
  return data
}

test('a rule is tried on texts without being kept, by admins', async (t) => {
  const stage = await world(t)
  const boss = await officer(stage)
  const { body } = rule(1, secret).body
  const texts = ['a secret', 'secretly', 'no']
  const { data } = await boss.call(tryDlpRule, { body: { body, texts } })
  assert.deepEqual(data, ['matched', 'not_matched', 'not_matched'])
  assert.deepEqual((await boss.call(listDlpRules)).data, [])
  const empty = { conditions: {}, action: { type: 'BLOCK' } }
  await assert.rejects(boss.call(tryDlpRule, { body: { body: empty, texts } }), {
    status: 422,
    code: 'blank',
  })
  const bob = await stage.as(stage.bob.id, { session: true })
  await assert.rejects(bob.call(tryDlpRule, { body: { body, texts } }), { status: 403 })
})

test('a message that a rule blocks stays with other words, for everybody', async (t) => {
  const stage = await world(t)
  const { alice, bob, bot, office, listen, drain } = stage
  const hook = await listen(bot, ['message_new'])
  const boss = await officer(stage)
  const { data: made } = await boss.call(createDlpRule, rule(10, secret))
  const { data } = await alice.call(createMessage, saying(office.id, 'the secret is 42'))
  assert.equal(data.content, 'Not here, please.')
  const { data: fine } = await alice.call(createMessage, saying(office.id, 'secretly'))
  assert.equal(fine.content, 'secretly')
  await drain()
  assert.deepEqual(
    hook.received.map(({ content }) => content),
    ['Not here, please.', 'secretly'],
  )
  const { data: seen } = await bob.call(listMessages, { query: { chat_id: office.id } })
  assert.ok(seen.every(({ content }) => !content.includes('42')))
  const [event, ...more] = await violations(stage)
  assert.deepEqual(more, [])
  assert.equal(event?.entity_type, 'Message')
  assert.equal(event?.entity_id, String(data.id))
  assert.deepEqual(event?.details, {
    dlp_rule_id: made.id,
    dlp_rule_name: 'rule 10',
    message_id: data.id,
    chat_id: office.id,
    user_id: alice.id,
    action_message: 'Not here, please.',
    conditions_matched: true,
  })
})

test('an edit is held against the rules, and so are bots and schedules; drafts are not', async (t) => {
  const stage = await world(t)
  const { alice, bob, bot, office, clock, drain } = stage
  const boss = await officer(stage)
  await boss.call(createDlpRule, rule(1, secret, { type: 'BLOCK' }))
  const { data } = await alice.call(createMessage, saying(office.id, 'fine'))
  const changed = await alice.call(updateMessage, {
    params: { id: data.id },
    body: { message: { content: 'a secret' } },
  })
  assert.equal(changed.data.content, 'Removed by DLP')
  const { data: bots } = await bot.call(createMessage, saying(office.id, 'Secret!'))
  assert.equal(bots.content, 'Removed by DLP')
  const schedule = {
    start_date: new Date(clock.now() + 60_000).toISOString(),
    repetition: { interval: 'once' as const },
  }
  const { data: draft } = await bob.call(createDraft, {
    body: { draft: { entity_type: 'discussion', entity_id: office.id, content: 'my secret', schedule } },
  })
  assert.equal(draft.content, 'my secret')
  clock.advance(61_000)
  await drain()
  const { data: seen } = await bob.call(listMessages, { query: { chat_id: office.id } })
  assert.equal(seen[0]?.content, 'Removed by DLP')
  assert.deepEqual(await violations(stage), [])
})

test('the first rule that matches decides, the highest priority first, and only those that are on', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const boss = await officer(stage)
  const note = { type: 'AUDIT_LOG' }
  const { data: high } = await boss.call(createDlpRule, rule(20, secret, note))
  const { data: low } = await boss.call(createDlpRule, rule(10, secret, { type: 'BLOCK', message: 'low' }))
  const say = async () => (await alice.call(createMessage, saying(office.id, 'secret'))).data.content
  assert.equal(await say(), 'secret')
  assert.equal((await violations(stage)).length, 1)
  assert.equal((await violations(stage))[0]?.details.action_message, null)
  await boss.call(updateDlpRule, { params: { id: high.id }, body: { enabled: false } })
  assert.equal(await say(), 'low')
  const nothing = { conditions: { all: [{ type: 'keyword', value: 'other' }] }, action: note }
  await boss.call(updateDlpRule, { params: { id: low.id }, body: { body: nothing } })
  assert.equal(await say(), 'secret')
  await boss.call(deleteDlpRule, { params: { id: low.id } })
  assert.equal(await say(), 'secret')
  assert.deepEqual(
    (await boss.call(listDlpRules, { query: {} })).data.map(({ id, enabled }) => [id, enabled]),
    [[high.id, false]],
  )
  await assert.rejects(boss.call(deleteDlpRule, { params: { id: low.id } }), { status: 404 })
})

test('a rule is narrowed by guests, by kind of chat and by role', async (t) => {
  const stage = await world(t)
  const { alice, bob, office, news, person, ctx } = stage
  const boss = await officer(stage)
  const say = async (who: Person, chat: number) =>
    (await who.call(createMessage, saying(chat, 'secret'))).data.content === 'secret'
  const { data } = await boss.call(createDlpRule, rule(1, secret, BLOCK, { to_external: true }))
  const narrow = (scope: object) =>
    boss.call(updateDlpRule, {
      params: { id: data.id },
      body: { body: { scope, conditions: secret, action: BLOCK } },
    })
  assert.deepEqual([await say(alice, office.id), await say(alice, news.id)], [false, true])
  await narrow({ channel_type: ['channel', 'personal'] })
  assert.deepEqual([await say(alice, office.id), await say(alice, news.id)], [true, false])
  await narrow({ user_role: ['member'] })
  assert.deepEqual([await say(alice, office.id), await say(bob, office.id)], [true, false])
  await narrow({ user_role: ['owner'], channel_type: ['channel'] })
  assert.deepEqual([await say(alice, office.id), await say(alice, news.id)], [true, false])

  await narrow({ channel_type: ['thread'], user_role: ['not_member'] })
  const { data: parent } = await alice.call(createMessage, saying(news.id, 'open talk'))
  const { data: thread } = await alice.call(createThread, { params: { id: parent.id } })
  const stranger = await person({ nickname: 'stranger' })
  const comment = {
    body: { message: { entity_type: 'thread' as const, entity_id: thread.id, content: 'secret' } },
  }
  // The first comment makes its author a member of the thread, and of nothing else.
  for (const _ of ['first', 'second'])
    assert.equal((await stranger.call(createMessage, comment)).data.content, 'Not here, please.')
  assert.equal((await alice.call(createMessage, comment)).data.content, 'secret')
  await narrow({ user_role: ['subscriber'] })
  await bob.call(addChatMembers, { params: { id: news.id }, body: { member_ids: [bob.id] } })
  for (const _ of ['first', 'second'])
    assert.equal((await bob.call(createMessage, comment)).data.content, 'Not here, please.')
  assert.equal((await alice.call(createMessage, comment)).data.content, 'secret')
  assert.ok(ctx)
})

test('rules are for owner and admins on the plan that has them, by login alone', async (t) => {
  const stage = await world(t)
  const { owner, admin, alice, as, ctx } = stage
  const call = (who: Person) => who.call(listDlpRules, { query: {} })
  assert.deepEqual((await call(await as(admin.id, { session: true }))).data, [])
  for (const who of [owner, alice, await as(alice.id, { session: true })])
    await assert.rejects(call(who), { status: 403 })
  const boss = await officer(stage)
  const { data } = await boss.call(createDlpRule, rule(1, secret))
  assert.ok(data)
  await ctx.db.updateTable('workspace').set({ plan: 'standard' }).execute()
  await assert.rejects(call(boss), { status: 403 })
  const said = await alice.call(createMessage, saying(stage.office.id, 'secret'))
  assert.equal(said.data.content, 'secret')
})

const WRONG: [string, object, string, string][] = [
  ['no conditions', { action: BLOCK }, 'body.conditions', 'blank'],
  ['empty conditions', { conditions: { any: [] }, action: BLOCK }, 'body.conditions.any', 'blank'],
  ['no action', { conditions: secret }, 'body.action.type', 'blank'],
  ['another action', { conditions: secret, action: { type: 'SHOUT' } }, 'body.action.type', 'inclusion'],
  [
    'a pattern that RE2 does not have',
    { conditions: { all: [{ type: 'regex', pattern: '(?=x)' }] }, action: BLOCK },
    'body.conditions.all.0.pattern',
    'invalid',
  ],
  [
    'a back reference',
    { conditions: { all: [{ any: [{ type: 'regex', pattern: '(a)\\1' }] }] }, action: BLOCK },
    'body.conditions.all.0.any.0.pattern',
    'invalid',
  ],
  [
    'a pattern that is too long',
    { conditions: { all: [{ type: 'regex', pattern: 'a'.repeat(2001) }] }, action: BLOCK },
    'body.conditions.all.0.pattern',
    'too_long',
  ],
  [
    'an unknown type',
    { conditions: { all: [{ type: 'mood' }] }, action: BLOCK },
    'body.conditions.all.0.type',
    'inclusion',
  ],
  [
    'an unknown role',
    { scope: { user_role: ['king'] }, conditions: secret, action: BLOCK },
    'body.scope.user_role',
    'inclusion',
  ],
  [
    'fewer hits at most than at least',
    { conditions: { all: [{ type: 'keyword', value: 'a', min_hits: 3, max_hits: 2 }] }, action: BLOCK },
    'body.conditions.all.0.max_hits',
    'invalid',
  ],
]

test('a rule that cannot stand is refused with the place of its fault', async (t) => {
  const stage = await world(t)
  const boss = await officer(stage)
  for (const [name, body, key, code] of WRONG) {
    await assert.rejects(
      boss.call(createDlpRule, { body: { name, priority: 1, body: body as Record<string, unknown> } }),
      (error: { status: number; errors: { key: string; code: string }[] }) => {
        assert.deepEqual([error.status, error.errors[0]?.key, error.errors[0]?.code], [422, key, code], name)
        return true
      },
    )
  }
  await boss.call(createDlpRule, rule(1, secret))
  await assert.rejects(boss.call(createDlpRule, rule(1, secret)), { status: 409, code: 'already_exists' })
})

test('a pattern that trying every way would never end is judged in time, and the rules after it count', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const boss = await officer(stage)
  const slow = { all: [{ type: 'regex', pattern: '((x?){1,10}){1,5}((x?){1,10}y){1,5}z' }] }
  await boss.call(createDlpRule, rule(2, slow))
  await boss.call(createDlpRule, rule(1, secret))
  const long = `${'x'.repeat(30_000)} secret`
  const { data } = await alice.call(createMessage, saying(office.id, long))
  assert.equal(data.content, 'Not here, please.')
  assert.deepEqual(
    (await violations(stage)).map(({ details }) => details.dlp_rule_name),
    ['rule 1'],
  )
})

test('a rule that cannot be judged in time blocks, and the audit log says so', async (t) => {
  const stage = await world(t)
  const { alice, office } = stage
  const boss = await officer(stage)
  const slow = { any: [{ type: 'regex', pattern: '([xy]{1,60}[xy]{1,60}){5,9}[a-c]' }] }
  await boss.call(createDlpRule, rule(1, slow, { type: 'BLOCK' }))
  const { data } = await alice.call(createMessage, saying(office.id, 'xy'.repeat(19_000)))
  assert.equal(data.content, 'Removed by DLP')
  const [event, ...more] = await violations(stage)
  assert.deepEqual(more, [])
  assert.equal(event?.entity_id, String(data.id))
  const { conditions_matched } = { ...event?.details } as { conditions_matched?: boolean }
  assert.equal(conditions_matched, false)
})

test('buttons, shown names, file names and tasks are held against the rules too', async (t) => {
  const stage = await world(t)
  const { alice, bot, office, ctx } = stage
  const boss = await officer(stage)
  await boss.call(createDlpRule, rule(1, secret))
  const post = async (who: Person, more: object) => {
    const { data } = await who.call(createMessage, {
      body: { message: { entity_id: office.id, content: 'fine', ...more } },
    })
    return data
  }
  const pressed = await post(bot, { buttons: [[{ text: 'the secret', data: 'x' }]] })
  assert.deepEqual([pressed.content, pressed.buttons], ['Not here, please.', null])
  const shown = await post(bot, { display_name: 'Secret agent' })
  assert.deepEqual([shown.content, shown.display_name], ['Not here, please.', null])

  const key = `attaches/files/${alice.id}/${randomUUID()}/my secret.txt`
  await ctx.storage.write(key, Buffer.from('x'))
  const files = [{ key, name: 'my secret.txt', file_type: 'file', size: 1 }]
  const named = await post(alice, { files })
  assert.deepEqual([named.content, named.files], ['Not here, please.', []])
  assert.equal((await violations(stage)).length, 3)

  const { data: task } = await alice.call(createTask, {
    body: { task: { kind: 'call', content: 'tell the secret', chat_id: office.id } },
  })
  assert.equal(task.content, 'Not here, please.')
  const body = { task: { content: 'another secret' } }
  const { data: changed } = await alice.call(updateTask, { params: { id: task.id }, body })
  assert.equal(changed.content, 'Not here, please.')
  const [last] = await violations(stage)
  assert.deepEqual([last?.entity_type, last?.entity_id], ['Task', String(task.id)])
})
