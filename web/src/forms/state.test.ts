import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { View, ViewBlockUnion } from '@parley/contract'
import { at, frame } from '../testing/shapes.js'
import { errorsOf, initialAnswers, submittedAnswers, views } from './state.js'

const view = (id: string, blocks: ViewBlockUnion[] = []): View => ({
  id,
  bot_id: 5,
  chat_id: 1,
  title: 'Leave',
  close_text: 'Cancel',
  submit_text: 'Submit',
  blocks,
  opened_at: at(0),
  expires_at: at(60),
})

test('a form begins with what the bot chose for it, and empty fields are sent as null', () => {
  const blocks: ViewBlockUnion[] = [
    { type: 'header', text: 'Leave' },
    { type: 'input', name: 'why', label: 'Why', initial_value: 'Sea' },
    { type: 'date', name: 'from', label: 'From', initial_date: '2030-02-01' },
    { type: 'time', name: 'hour', label: 'Hour', initial_time: '09:30:15' },
    { type: 'select', name: 'kind', label: 'Kind', options: [{ text: 'Paid', value: 'p', selected: true }] },
    { type: 'radio', name: 'half', label: 'Half', options: [{ text: 'Yes', value: 'y', checked: true }] },
    {
      type: 'checkbox',
      name: 'tell',
      label: 'Tell',
      options: [
        { text: 'Team', value: 't', checked: true },
        { text: 'All', value: 'a' },
      ],
    },
    { type: 'file_input', name: 'proof', label: 'Proof' },
  ]
  const answers = initialAnswers({ blocks })
  assert.deepEqual(answers, {
    why: 'Sea',
    from: '2030-02-01',
    hour: '09:30',
    kind: 'p',
    half: 'y',
    tell: ['t'],
    proof: [],
  })
  assert.deepEqual(submittedAnswers({ ...answers, why: '' }), { ...answers, why: null, proof: null })
})

test('faults stand under the field they name, the others above the form', () => {
  const blocks: ViewBlockUnion[] = [{ type: 'input', name: 'why', label: 'Why' }]
  const fault = (key: string | null, message: string) => ({
    key,
    message,
    code: 'displayed_error',
    value: null,
  })
  const faults = [fault('why', 'Too short'), fault('why', 'Second'), fault('base', 'Nothing of ours')]
  assert.deepEqual(
    errorsOf({ blocks }, faults, ({ message }) => message),
    { fields: { why: 'Too short' }, whole: ['Nothing of ours'] },
  )
})

test('a form that was closed elsewhere is gone here', () => {
  const open = views.reduce([], { type: 'views', views: [view('b'), view('a')] })
  const closed = frame('view.closed', { view_id: 'b' })
  assert.deepEqual(
    views.reduce(open, { type: 'live', me: 1, frame: closed }).map(({ id }) => id),
    ['a'],
  )
  assert.equal(
    views.reduce(open, { type: 'live', me: 1, frame: frame('view.closed', { view_id: 'x' }) }),
    open,
  )
})
