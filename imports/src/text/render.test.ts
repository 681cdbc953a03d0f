import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseText } from '@parley/contract'
import fc from 'fast-check'
import { readSlackText } from '../slack/text.js'
import { type Names, renderText } from './render.js'
import { paragraph, plain, type RichInline } from './rich-text.js'

const NAMES: Names = {
  person: (id) => (id === 'U1' ? { nickname: 'anna' } : id === 'U7' ? { text: 'Gone Girl' } : undefined),
  chat: (id) => (id === 'C1' ? 'general' : undefined),
  tag: () => undefined,
}

function slack(text: string): string {
  return renderText(readSlackText(text), NAMES).parts.join('\n---\n')
}

test('texts of a Slack export say the same in our dialect', () => {
  const cases: [string, string][] = [
    ['*bold* _it_ ~no~ `code`', '**bold** *it* ~~no~~ `code`'],
    ['*bold _both_*', '**bold _both_**'],
    ['_it *both*_', '*it __both__*'],
    ['snake_case 2*3*4', 'snake_case 2*3*4'],
    ['**literal**', '\\*\\*literal\\*\\*'],
    ['a &lt;b&gt; &amp;amp;', 'a <b> &amp;'],
    ['<@U1> <@U2|boris> <@U3> <@U7>', '@anna \\@boris \\@U3 \\@Gone Girl'],
    ['<#C1|old> <#C9|other>', '#general #other'],
    ['<!here> <!channel> <!everyone|all>', '@here @all @all'],
    ['<!subteam^S1|@devs>', '\\@devs'],
    ['<!date^1600000000^{date}|Sep 13>', 'Sep 13'],
    ['<https://a.org/x_y_z|see _this_>', '[see \\_this\\_](https://a.org/x_y_z)'],
    ['<https://a.org/x_y>', 'https://a.org/x_y'],
    ['<mailto:a@b.org|a@b.org>', 'a@b.org'],
    [':wave::skin-tone-4: :nosuch:', '👋🏽 :nosuch:'],
    ['&gt; said\nnot', '> said\nnot'],
    ['# not a heading', '\\# not a heading'],
    ['a ```x = *1*\ny``` b', 'a \n```\nx = *1*\ny\n```\n b'],
    ['open ``` fence', 'open ``` fence'],
    ['@anna', '\\@anna'],
    ['`a <@U1>`', '`a @U1`'],
  ]
  for (const [source, wanted] of cases) assert.equal(slack(source), wanted, source)
})

test('a text over the limit goes on in the next message, and nothing of it is lost', () => {
  const words = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
  const code = Array.from({ length: 3000 }, (_, index) => `line ${index}`).join('\n')
  const { parts } = renderText(
    [...paragraph([plain(words)]), { type: 'code', language: 'txt', text: code }],
    NAMES,
    4000,
  )
  assert.ok(parts.length > 3 && parts.every((part) => Buffer.byteLength(part) <= 4000))
  assert.equal(parts.join('\n').match(/word\d+/g)?.length, 3000)
  assert.equal(parts.join('\n').match(/line \d+/g)?.length, 3000)
  for (const part of parts) assert.ok(parseText(part).length > 0)
})

const inline = fc.letrec<{ inline: RichInline }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: fc.constantFrom(...'ab *_~`[]()\\@<>#!.') }).map(plain),
    fc.record({
      type: fc.constantFrom('bold' as const, 'italic' as const, 'strike' as const),
      children: fc.array(tie('inline'), { maxLength: 3 }),
    }),
    fc.record({
      type: fc.constant('person' as const),
      id: fc.constantFrom('U1', 'U2'),
      label: fc.constant('x'),
    }),
  ),
})).inline

test('whatever was meant is read back, or stands as plain text with nothing left out', () => {
  fc.assert(
    fc.property(fc.array(inline, { maxLength: 4 }), (inlines) => {
      const { parts } = renderText(paragraph(inlines), NAMES)
      const shown = (text: string) => text.replace(/[\\\ufeff\s*_~]/g, '')
      const letters = (children: readonly RichInline[]): string =>
        children
          .map((child) => {
            if ('children' in child) return letters(child.children)
            if (child.type === 'person') return child.id === 'U1' ? '@anna' : '@x'
            return 'text' in child ? child.text : ''
          })
          .join('')
      assert.equal(shown(parts.join('')), shown(letters(inlines)))
    }),
    { numRuns: 500 },
  )
})
