import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMessage, composeTest } from './compose.js'

const push = {
  type: 'message' as const,
  chat_id: 5,
  message_id: 7,
  path: '/chats/5?message=7',
  author: 'Alice',
  chat: 'office',
  text: 'hello',
  file_names: null,
  silent: false,
}

test('a notification says who wrote where, and replaces the earlier one of its chat', () => {
  const { title, options } = composeMessage(push)
  assert.deepEqual([title, options.body, options.tag], ['Alice · office', 'hello', 'chat-5'])
  assert.deepEqual(options.data, { path: push.path, chat_id: 5, message_id: 7 })
  assert.equal(composeMessage({ ...push, chat: null }).title, 'Alice')
  assert.equal(composeMessage({ ...push, text: '', file_names: 'plan.pdf' }).options.body, 'plan.pdf')
})

test('a silent one does not call again', () => {
  const { options } = composeMessage({ ...push, silent: true })
  assert.deepEqual([options.silent, options.renotify], [true, false])
})

test('the trial speaks the language of the browser', () => {
  assert.equal(composeTest('ru-RU').title, 'Уведомления работают')
  assert.equal(composeTest('de').title, 'Notifications work')
})
