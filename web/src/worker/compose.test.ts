import assert from 'node:assert/strict'
import { test } from 'node:test'
import { composeMessage, composeNotice, composeTest } from './compose.js'

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

test('a notice says what it is about in the chosen language, or in that of the browser', () => {
  const notice = {
    type: 'notice' as const,
    notice_id: 3,
    kind: 'task.due',
    text: 'Call',
    path: '/tasks?task=9',
  }
  const shown = composeNotice({ ...notice, language: 'ru', silent: true }, 'en-GB')
  assert.deepEqual(
    [shown.title, shown.options.body, shown.options.tag, shown.options.silent],
    ['Подошёл срок задачи', 'Call', 'notice-3', true],
  )
  assert.deepEqual(shown.options.data, { path: '/tasks?task=9', notice_id: 3 })
  const other = { ...notice, kind: 'of.a.later.server', language: 'auto', silent: false }
  assert.equal(composeNotice(other, 'ru').title, 'Уведомление')
})
