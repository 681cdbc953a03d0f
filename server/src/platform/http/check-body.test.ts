import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChat, createMessage, listTasks, openView } from '@parley/contract'
import { cpuTimeOf } from '../../testing/cpu-time.js'
import { Problem } from '../problem.js'
import { bodyCheck } from './check-body.js'
import { readQuery } from './read-query.js'

function refusalOf(check: (body: unknown) => void, body: unknown) {
  let keys: string[] | undefined
  const took_ms = cpuTimeOf(() => {
    try {
      check(body)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      keys = error.errors.map(({ key, code }) => `${key} ${code}`)
    }
  })
  if (!keys) throw new Error('the body was not refused')
  return { keys, took_ms }
}

test('a list of any length is refused in time that grows with it at most', () => {
  const view = bodyCheck(openView)
  const blocks = (count: number) => ({
    type: 'modal',
    trigger_id: 'x',
    view: { title: 't', blocks: new Array(count).fill(1) },
  })
  refusalOf(view, blocks(10))
  for (const count of [4_000, 500_000]) {
    const { keys, took_ms } = refusalOf(view, blocks(count))
    assert.equal(keys[0], 'view.blocks too_long')
    assert.ok(took_ms < 1000, `${count} blocks took ${took_ms} ms`)
  }
  const message = bodyCheck(createMessage)
  const files = { message: { entity_id: 1, content: 'x', files: new Array(330_000).fill({}) } }
  assert.ok(refusalOf(message, files).took_ms < 1000)
})

test('all faults of a body of usual size are told together', () => {
  const body = { message: { entity_id: 'one', content: 2, files: [{}] } }
  const { keys } = refusalOf(bodyCheck(createMessage), body)
  assert.ok(keys.length > 3, keys.join(', '))
})

test('a large value is shown by its beginning, at no cost', () => {
  const body = { message: { entity_id: 1, content: { deep: new Array(200_000).fill('x') } } }
  const { took_ms } = refusalOf(bodyCheck(createMessage), body)
  assert.ok(took_ms < 1000, `${took_ms} ms`)
})

test('lists of ids are shown with commas, from a body and from a query', () => {
  const ids = Array.from({ length: 1_001 }, (_, index) => index + 1)
  const shown = (error: Problem) => error.errors[0]?.value?.slice(0, 10)
  const chat = { chat: { name: 'a', member_ids: ids } }
  assert.throws(
    () => bodyCheck(createChat)(chat),
    (error: Problem) => shown(error) === '1, 2, 3, 4',
  )
  for (const query of [`chat_ids=${ids}`, ids.map((id) => `chat_ids[]=${id}`).join('&')])
    assert.throws(
      () => readQuery(listTasks.query, `/tasks?${query}`),
      (error: Problem) => shown(error) === '1, 2, 3, 4',
    )
})
