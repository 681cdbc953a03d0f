import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  extractLinks,
  extractMentions,
  type Inline,
  parseInline,
  parseText,
  rewriteUserMentions,
} from './text.js'

const text = (value: string): Inline => ({ type: 'text', text: value })
const bold = (...children: Inline[]): Inline => ({ type: 'bold', children })
const italic = (...children: Inline[]): Inline => ({ type: 'italic', children })

test('spans: bold, italic and strike, in both spellings and inside each other', () => {
  assert.deepEqual(parseInline('**a** __b__'), [bold(text('a')), text(' '), bold(text('b'))])
  assert.deepEqual(parseInline('*a* _b_'), [italic(text('a')), text(' '), italic(text('b'))])
  assert.deepEqual(parseInline('~~a~~'), [{ type: 'strike', children: [text('a')] }])
  assert.deepEqual(parseInline('**a _b_**'), [bold(text('a '), italic(text('b')))])
  assert.deepEqual(parseInline('snake_case_name 2 * 3 * 4'), [text('snake_case_name 2 * 3 * 4')])
  assert.deepEqual(parseInline('**open'), [text('**open')])
})

test('links: named, bare, and images as links with their text', () => {
  const link = (url: string, label: string): Inline => ({ type: 'link', url, children: [text(label)] })
  assert.deepEqual(parseInline('[x](https://a.org/b_(c))'), [link('https://a.org/b_(c)', 'x')])
  assert.deepEqual(parseInline('![x](https://a.org/i.png)'), [link('https://a.org/i.png', 'x')])
  assert.deepEqual(parseInline('see https://a.org/x, or (https://b.org).'), [
    text('see '),
    link('https://a.org/x', 'https://a.org/x'),
    text(', or ('),
    link('https://b.org', 'https://b.org'),
    text(').'),
  ])
  assert.deepEqual(parseInline('[x](javascript:alert(1))'), [text('[x](javascript:alert(1))')])
  assert.deepEqual(extractLinks('https://a.org `https://b.org` [c](https://c.org)'), [
    'https://a.org',
    'https://c.org',
  ])
})

test('code: inline, and blocks whose fences stand alone', () => {
  assert.deepEqual(parseInline('`**a**`'), [{ type: 'code', text: '**a**' }])
  assert.deepEqual(parseText('```ts\nlet a = 1\n```'), [{ type: 'code', language: 'ts', text: 'let a = 1' }])
  assert.deepEqual(parseText('```\na\n\nb\n```'), [{ type: 'code', language: null, text: 'a\n\nb' }])
  assert.equal(parseText('``` let a = 1\n```')[0]?.type, 'line')
  assert.equal(parseText('```\nnever closed')[0]?.type, 'line')
})

test('headings become bold, quotes plain; lists and tables stay as typed, HTML too', () => {
  const line = (...children: Inline[]) => ({ type: 'line', children })
  assert.deepEqual(parseText('# Big\n#tag'), [line(bold(text('Big'))), line(text('#tag'))])
  assert.deepEqual(parseText('> said'), [line(text('said'))])
  assert.deepEqual(parseText('- **a**\n1. b\n| c |'), [
    line(text('- '), bold(text('a'))),
    line(text('1. b')),
    line(text('| c |')),
  ])
  assert.deepEqual(parseText('<b>x</b>'), [line(text('<b>x</b>'))])
})

test('mentions: by name and by id, not in code and not in addresses', () => {
  assert.deepEqual(extractMentions('@bob, **@Ann.Lee**. <@7> `@no` a@b.org\n```\n@no\n```'), {
    names: ['bob', 'Ann.Lee'],
    user_ids: [7],
  })
  assert.equal(rewriteUserMentions('<@7> <@8>', new Map([[7, 'bob']])), '@bob <@8>')
})

test('a long hostile text is read in linear time', () => {
  for (const hostile of [
    '*a ',
    '**',
    '_a',
    '[',
    '`a',
    '~~x ',
    '[x](',
    '[x](https://',
    '(https://a.org/)',
    '> ',
    '@',
    'https://',
    '```\n',
  ]) {
    const source = hostile.repeat(40_000 / hostile.length)
    const start = performance.now()
    parseText(source)
    const spent_ms = performance.now() - start
    assert.ok(spent_ms < 1000, `${hostile} took ${spent_ms} ms`)
  }
})
