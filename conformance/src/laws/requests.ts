import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import * as api from '@parley/contract'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'

async function countMessages(lab: Lab, chat_id: number): Promise<number> {
  return (await lab.owner.call(api.listMessages, { query: { chat_id } })).data.length
}

export const requestLaws = laws('Requests', [
  {
    id: 'REQ-001',
    rule: 'Unknown members of a body and unknown parameters are passed over.',
    operations: [api.createMessage, api.listChats],
    async run(lab) {
      const { id } = await lab.room()
      const body = { message: { entity_id: id, content: 'x', colour: 'red' }, mood: 'fine' }
      const answer = await lab.owner.send(api.createMessage, { body })
      assert.equal(answer.status, 201)
      assert.equal((await lab.owner.send(api.listChats, { query: { mood: 'fine' } })).status, 200)
    },
  },
  {
    id: 'REQ-002',
    rule: 'A list in a query is read as name[]=1&name[]=2 and as name=1,2.',
    operations: [api.listTasks],
    async run(lab) {
      const chats = [await lab.newChat(), await lab.newChat(), await lab.newChat()]
      const ids: number[] = []
      for (const { id } of chats) {
        const task = { kind: 'call' as const, chat_id: id }
        const { data } = await lab.owner.call(api.createTask, { body: { task } })
        lab.after(() => lab.owner.send(api.deleteTask, { params: { id: data.id } }))
        ids.unshift(data.id)
      }
      // The task of the third chat is not asked for.
      ids.shift()
      const chat_ids = chats.slice(0, 2).map(({ id }) => id)
      for (const given of [chat_ids, chat_ids.join(',')]) {
        const { data } = await lab.owner.call(api.listTasks, { query: { chat_ids: given } as never })
        assert.deepEqual(
          data.map(({ id }) => id),
          ids,
        )
      }
    },
  },
  {
    id: 'REQ-003',
    rule: 'All faults of a body are told together, each with its key, code, text and value.',
    operations: [api.createTask],
    async run(lab) {
      const body = { task: { kind: 'nap', priority: 9 } }
      const answer = await lab.owner.refused(api.createTask, { body }, { status: 400 })
      const { errors } = answer.body as { errors: { key: string; value: unknown }[] }
      assert.deepEqual(errors.map(({ key, value }) => [key, value]).sort(), [
        ['kind', 'nap'],
        ['priority', '9'],
      ])
    },
  },
  {
    id: 'REQ-004',
    rule: 'Times are answered in UTC with milliseconds, whatever offset they came with.',
    operations: [api.createTask],
    async run(lab) {
      const task = { kind: 'call' as const, due_at: '2031-05-04T09:30:00-05:00' }
      const { data } = await lab.owner.call(api.createTask, { body: { task } })
      lab.after(() => lab.owner.send(api.deleteTask, { params: { id: data.id } }))
      assert.equal(data.due_at, '2031-05-04T14:30:00.000Z')
    },
  },
  {
    id: 'REQ-005',
    rule: 'A token in the query is not one.',
    operations: [api.getProfile],
    async run(lab) {
      const query = { access_token: lab.owner.token, token: lab.owner.token }
      await lab.anonymous.refused(api.getProfile, { query }, { status: 401 })
    },
  },
  {
    id: 'KEY-001',
    level: 'additions',
    rule: 'The same Idempotency-Key with the same body gives the first answer again, and writes once.',
    operations: [api.createMessage, api.listMessages],
    async run(lab) {
      const chat = await lab.newChat()
      const sent = {
        body: { message: { entity_id: chat.id, content: 'once' } },
        headers: { 'Idempotency-Key': randomUUID() },
      }
      const first = await lab.owner.send(api.createMessage, sent)
      const second = await lab.owner.send(api.createMessage, sent)
      assert.deepEqual([second.status, second.text], [201, first.text])
      assert.equal(await countMessages(lab, chat.id), 1)
    },
  },
  {
    id: 'KEY-002',
    level: 'additions',
    rule: 'The same Idempotency-Key with another body is refused with 409 already_exists.',
    operations: [api.createMessage],
    async run(lab) {
      const { id } = await lab.room()
      const headers = { 'Idempotency-Key': randomUUID() }
      const saying = (content: string) => ({ body: { message: { entity_id: id, content } }, headers })
      await lab.owner.send(api.createMessage, saying('one'))
      await lab.owner.refused(api.createMessage, saying('other'), { status: 409, code: 'already_exists' })
    },
  },
  {
    id: 'KEY-003',
    level: 'additions',
    rule: 'An Idempotency-Key is of one token: another caller may use the same.',
    operations: [api.createMessage],
    async run(lab) {
      const { id } = await lab.room()
      const sent = {
        body: { message: { entity_id: id, content: 'x' } },
        headers: { 'Idempotency-Key': randomUUID() },
      }
      const own = await lab.owner.send(api.createMessage, sent)
      const theirs = await (await lab.helper()).send(api.createMessage, sent)
      assert.deepEqual([own.status, theirs.status], [201, 201])
      assert.notEqual(own.text, theirs.text)
    },
  },
  {
    id: 'DRY-001',
    level: 'additions',
    rule: 'A dry run answers as the write would, says so in Parley-Dry-Run, and writes nothing.',
    operations: [api.createMessage, api.listMessages],
    async run(lab) {
      const chat = await lab.newChat()
      const headers = { 'Parley-Dry-Run': 'true' }
      const body = { message: { entity_id: chat.id, content: 'perhaps' } }
      const answer = await lab.owner.send(api.createMessage, { body, headers })
      assert.deepEqual([answer.status, answer.headers.get('parley-dry-run')], [201, 'true'])
      assert.match(answer.headers.get('parley-would') ?? '', /^events=\d+; deliveries=\d+; notices=\d+$/)
      assert.equal(await countMessages(lab, chat.id), 0)
    },
  },
  {
    id: 'DRY-002',
    level: 'additions',
    rule: 'A dry run refuses what the write refuses; another value of the header is 400.',
    operations: [api.createMessage],
    async run(lab) {
      const { id } = await lab.room()
      const saying = (content: string, value: string) => ({
        body: { message: { entity_id: id, content } },
        headers: { 'Parley-Dry-Run': value },
      })
      await lab.owner.refused(api.createMessage, saying('', 'true'), {
        status: 422,
        code: 'blank',
        key: 'content',
      })
      await lab.owner.refused(api.createMessage, saying('x', 'perhaps'), { status: 400 })
    },
  },
  {
    id: 'WHY-001',
    level: 'additions',
    rule: 'A refusal is explained: the rule, what it needs, what the caller has, and who can change it.',
    operations: [api.getChat],
    async run(lab) {
      const { id } = await lab.newChat()
      const answer = await (await lab.stranger()).refused(api.getChat, { params: { id } }, { status: 403 })
      const { explanation } = answer.body as { explanation?: Record<string, unknown> }
      assert.deepEqual(Object.keys(explanation ?? {}).sort(), [
        'doc',
        'has',
        'needs',
        'remedy',
        'rule',
        'with',
      ])
    },
  },
  {
    id: 'WHY-002',
    level: 'additions',
    rule: 'The text and the explanation of an error name the limit that was passed.',
    operations: [api.createChat],
    async run(lab) {
      const body = { chat: { name: 'x'.repeat(300) } }
      const answer = await lab.owner.refused(
        api.createChat,
        { body },
        { status: 422, code: 'too_long', key: 'name' },
      )
      const { errors, explanation } = answer.body as { errors: { message: string }[]; explanation?: unknown }
      assert.match(errors[0]?.message ?? '', /255/)
      assert.match(JSON.stringify(explanation ?? {}), /255/)
    },
  },
])
