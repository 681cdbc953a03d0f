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

test('a backslash makes a mark text, and a star between word characters opens nothing', () => {
  assert.deepEqual(parseInline('\\*a\\* \\_b\\_'), [text('*a* _b_')])
  assert.deepEqual(parseInline('*a\\*b*'), [italic(text('a*b'))])
  assert.deepEqual(parseInline('\\[x](https://a.org) \\@anna \\`c\\`')[0], text('[x]('))
  assert.deepEqual(parseInline('[a\\](b](https://a.org)'), [
    { type: 'link', url: 'https://a.org', children: [text('a](b')] },
  ])
  assert.deepEqual(parseInline('C:\\temp \\\\*a*'), [text('C:\\temp \\'), italic(text('a'))])
  assert.deepEqual(parseInline('2*3*4 a**b**c'), [text('2*3*4 a**b**c')])
  assert.deepEqual(parseInline('`\\*`'), [{ type: 'code', text: '\\*' }])
  assert.deepEqual(extractMentions('\\@anna @boris').names, ['boris'])
  assert.deepEqual(parseText('\\# a\n\\> b\n\\```'), [
    { type: 'line', children: [text('# a')] },
    { type: 'line', children: [text('> b')] },
    { type: 'line', children: [text('```')] },
  ])
})

test('code: inline, and blocks whose fences stand alone', () => {
  assert.deepEqual(parseInline('`**a**`'), [{ type: 'code', text: '**a**' }])
  assert.deepEqual(parseText('```ts\nlet a = 1\n```'), [{ type: 'code', language: 'ts', text: 'let a = 1' }])
  assert.deepEqual(parseText('```\na\n\nb\n```'), [{ type: 'code', language: null, text: 'a\n\nb' }])
  assert.equal(parseText('``` let a = 1\n```')[0]?.type, 'line')
  assert.equal(parseText('```\nnever closed')[0]?.type, 'line')
})

test('headings become bold, quotes are told apart; lists and tables stay as typed, HTML too', () => {
  const line = (...children: Inline[]) => ({ type: 'line', children })
  assert.deepEqual(parseText('# Big\n#tag'), [line(bold(text('Big'))), line(text('#tag'))])
  assert.deepEqual(parseText('> said\n>\nyes'), [
    { type: 'line', children: [text('said')], quoted: true },
    { type: 'line', children: [], quoted: true },
    line(text('yes')),
  ])
  assert.deepEqual(extractMentions('> @anna').names, ['anna'])
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

/** Milliseconds of processor time, the least of three times: whatever else the process does counts as well. */
function cpuTimeOf(work: () => unknown): number {
  const times = [1, 2, 3].map(() => {
    const began = process.cpuUsage()
    work()
    return process.cpuUsage(began).user / 1000
  })
  return Math.min(...times)
}

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
    const spent_ms = cpuTimeOf(() => parseText(source))
    assert.ok(spent_ms < 1000, `${hostile} took ${spent_ms} ms`)
  }
})

test('links are found in the text as people write it', () => {
  const cases: [string, string[]][] = [
    ['see https://a.example/x.', ['https://a.example/x']],
    ['(https://a.example/x_(y))', ['https://a.example/x_(y)']],
    ['[title](https://a.example/x) and **https://b.example**', ['https://a.example/x', 'https://b.example']],
    ['![x](http://a.example/1.png)', ['http://a.example/1.png']],
    ['«https://пример.рф/путь», да', ['https://пример.рф/путь']],
    ['```\nhttps://a.example\n```\n`https://b.example` ftp://c.example', []],
    ['https:// http://', []],
    ['https://a.example https://a.example', ['https://a.example']],
  ]
  for (const [content, links] of cases) assert.deepEqual(extractLinks(content), links, content)
})

test('a text of any shape is read in time that grows with its length', () => {
  const n = 40_000
  const shapes = [
    `http://a${'.'.repeat(n / 2)}x${')'.repeat(n / 2)}`,
    `http://a${'.)'.repeat(1000)}`,
    'http://,'.repeat(n / 8),
    '['.repeat(n),
    `${'['.repeat(n)}](http://${'x'.repeat(2040)}`,
    '[a](http:x '.repeat(n / 11),
    '```\n'.repeat(n / 4),
    '*_~'.repeat(n / 3),
    '**a '.repeat(n / 4),
    '`'.repeat(n),
    '`a``a```a'.repeat(n / 9),
    '@a.'.repeat(n / 3),
    '<@1'.repeat(n / 3),
    '\\'.repeat(n),
    '[\\]('.repeat(n / 4),
    `${'['.repeat(n / 2)}${'\\]('.repeat(n / 6)}`,
    '*\\'.repeat(n / 2),
    `# ${' '.repeat(n)}x`,
  ]
  for (const shape of shapes) {
    const took = cpuTimeOf(() => {
      extractLinks(`https://a.org ${shape}`)
      extractMentions(`@a ${shape}`)
    })
    assert.ok(took < 1000, `${shape.slice(0, 12)}… took ${took} ms`)
  }
})

test('a link that no browser would take is text', () => {
  const long = `https://a.org/${'x'.repeat(2048)}`
  assert.deepEqual(extractLinks(`${long} https://b.org`), ['https://b.org'])
  assert.deepEqual(extractLinks('https://[ https://b.org'), ['https://b.org'])
})
