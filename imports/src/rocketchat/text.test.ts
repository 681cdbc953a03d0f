import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Names, renderText } from '../text/render.js'
import type { RichText } from '../text/rich-text.js'
import { readTree } from './md.js'
import { type RocketNames, readRocketText } from './text.js'

const SOURCE: RocketNames = {
  user: (name) => (name === 'anna.b' ? { type: 'person', id: 'U1', label: name } : null),
  room: (name) => (name === 'news' ? { type: 'chat', id: 'C1', label: name } : null),
}
const HERE: Names = {
  person: () => ({ nickname: 'anna' }),
  chat: () => 'News',
  tag: () => undefined,
}

const shown = (text: RichText) => renderText(text, HERE).parts.join('\n---\n')

test('texts of both Markdowns of Rocket.Chat say the same in our dialect', () => {
  const cases: [string, string][] = [
    ['*one* **two** _one_ __two__ ~one~ ~~two~~', '**one** **two** *one* *two* ~~one~~ ~~two~~'],
    ['*bold _both_*', '**bold _both_**'],
    ['2*3*4 snake_case_name ***', '2*3*4 snake_case_name ***'],
    ['@anna.b. @other, mail@anna.b #news #other', '@anna. \\@other, mail\\@anna.b #News #other'],
    [
      '[l](https://a.org/x_y_z) <https://b.org|c> https://d.org/_e_',
      '[l](https://a.org/x_y_z) [c](https://b.org) https://d.org/_e_',
    ],
    ['[not](javascript:alert(1))', '[not](javascript:alert(1))'],
    ['before ```js\na = *1*\n``` after', 'before ```js\na = **1**\n\\`\\`\\` after'],
    ['```\na\n```', '```\na\n```'],
    ['see ```\na = *1*\nb```', 'see\n```\na = *1*\nb\n```'],
    ['||spoiler|| $x^2$ - [ ] task', '||spoiler|| $x^2$ - [ ] task'],
  ]
  for (const [source, wanted] of cases) {
    const text = shown(readRocketText(source, SOURCE))
    assert.equal(text, wanted, source)
  }
})

test('a text that is made to take long takes no longer than another', () => {
  for (const piece of ['[', '*a ', '_*~', '`', '<http://', '@a.', '```', '[a](', '> ', '**', '!['])
    readRocketText(piece.repeat(20_000), SOURCE)
})

test('a tree that is deeper than anybody writes is not walked', () => {
  let deep: unknown = { type: 'PLAIN_TEXT', value: 'x' }
  for (let level = 0; level < 2000; level += 1) deep = { type: 'BOLD', value: [deep] }
  assert.equal(readTree([{ type: 'PARAGRAPH', value: [deep] }], SOURCE), null)
})
