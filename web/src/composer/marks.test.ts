import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyMark,
  breakInList,
  commandAt,
  differenceOf,
  emojiAt,
  matchCommands,
  mentionAt,
} from './marks.js'

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

test('a line break goes on with a list, and ends it after an empty point', () => {
  const broken = (marked: string) => {
    const next = breakInList(on(marked))
    return next && shown(next)
  }
  assert.equal(broken('x\n- one[]'), 'x\n- one\n- []')
  assert.equal(broken('  * o[n]e'), '  * o\n  * []e')
  assert.equal(broken('9. nine[]'), '9. nine\n10. []')
  assert.equal(broken('- one\n- []'), '- one\n[]')
  assert.equal(broken('- one\n- []\nmore'), '- one\n[]\nmore')
  assert.equal(broken('- []one'), '- \n- []one')
  for (const text of ['one[]', '-one[]', '- one\ntwo[]', '-[]', '2026.[]', '[]- one'])
    assert.equal(broken(text), null, text)
})

test('only what differs is replaced, and no emoji is split', () => {
  const replaced = (text: string, next: string) => {
    const { start, end, piece } = differenceOf(text, next)
    assert.equal(text.slice(0, start) + piece + text.slice(end), next)
    return [text.slice(start, end), piece]
  }
  assert.deepEqual(replaced('a b c', 'a **b** c'), ['b', '**b**'])
  assert.deepEqual(replaced('hi @mi', 'hi @miriam '), ['', 'riam '])
  assert.deepEqual(replaced('- one\n- ', '- one\n'), ['- ', ''])
  assert.deepEqual(replaced('aa', 'aaa'), ['', 'a'])
  assert.deepEqual(replaced('same', 'same'), ['', ''])
  assert.deepEqual(replaced('😀', '😁😀'), ['', '😁'])
  assert.deepEqual(replaced('😀', '😁'), ['😀', '😁'])
  assert.deepEqual(replaced('\u{1F600}', '\u{1FA00}'), ['\u{1F600}', '\u{1FA00}'])
})

test('an emoji is looked up from its colon to the caret', () => {
  assert.deepEqual(emojiAt('well :roc', 9), { query: 'roc', start: 5 })
  assert.deepEqual(emojiAt(':thumbs_up:', 11), { query: 'thumbs_up', start: 0 })
  assert.deepEqual(emojiAt('ну :рак', 7), { query: 'рак', start: 3 })
  assert.deepEqual(emojiAt(':+1', 3), { query: '+1', start: 0 })
  for (const text of [':r', 'note:rest', 'at 10:30', ' :30', ':rocket: go', ':)'])
    assert.equal(emojiAt(text, text.length), null)
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
