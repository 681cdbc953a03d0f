import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyMark, commandAt, matchCommands, mentionAt } from './marks.js'

const on = (marked: string) => {
  const start = marked.indexOf('[')
  const end = marked.indexOf(']') - 1
  return { text: marked.replace('[', '').replace(']', ''), start, end }
}
const shown = ({ text, start, end }: { text: string; start: number; end: number }) =>
  `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`

test('marks go around the selection and away again', () => {
  assert.equal(shown(applyMark('bold', on('a [b] c'))), 'a **[b]** c')
  assert.equal(shown(applyMark('bold', on('a **[b]** c'))), 'a [b] c')
  assert.equal(shown(applyMark('italic', on('[]'))), '_[]_')
  assert.equal(shown(applyMark('code', on('[a]'))), '`[a]`')
  assert.equal(applyMark('code', on('[a\nb]')).text, '```\na\nb\n```')
  assert.equal(applyMark('list', on('x\n[one\ntwo]')).text, 'x\n- one\n- two')
  assert.equal(applyMark('link', on('see [this]')).text, 'see [this](https://)')
})

test('a mention is looked up from its at sign to the caret', () => {
  assert.deepEqual(mentionAt('ask @mi', 7), { query: 'mi', start: 4 })
  assert.deepEqual(mentionAt('@', 1), { query: '', start: 0 })
  assert.deepEqual(mentionAt('спроси @ден', 11), { query: 'ден', start: 7 })
  assert.equal(mentionAt('mail@example', 12), null)
  assert.equal(mentionAt('ask @mi now', 11), null)
})

test('a command is looked up at the beginning of the text alone', () => {
  assert.deepEqual(commandAt('/po', 3), { query: '/po', start: 0 })
  assert.deepEqual(commandAt('/poll later', 5), { query: '/poll', start: 0 })
  assert.equal(commandAt('/poll now', 9), null)
  assert.equal(commandAt('and/or', 6), null)
  assert.equal(commandAt('/home/me', 8), null)
  const commands = [{ command: '/help' }, { command: '/Poll' }]
  assert.deepEqual(matchCommands(commands, '/PO'), [{ command: '/Poll' }])
  assert.deepEqual(matchCommands(commands, '/'), commands)
})
