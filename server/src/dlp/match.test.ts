import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile } from './match.js'
import type { Condition } from './rule.js'

const word = (value: string, min_hits = 1, max_hits: number | null = null): Condition => ({
  type: 'keyword',
  value,
  min_hits,
  max_hits,
})
const pattern = (text: string, min_hits = 1, max_hits: number | null = null): Condition => ({
  type: 'regex',
  pattern: text,
  min_hits,
  max_hits,
})

const CASES: [string, Condition, string, boolean][] = [
  ['a keyword stands as a whole word', word('secret'), 'a secret!', true],
  ['in any case', word('Secret'), 'SECRET', true],
  ['not inside another word', word('secret'), 'secretly', false],
  ['not before a digit or an underscore', word('secret'), 'secret_1 secret2', false],
  ['between brackets and at the ends', word('secret'), '(secret)', true],
  ['of several words', word('top secret'), 'this is Top Secret.', true],
  ['with signs of its own', word('c++'), 'we write c++ here', true],
  ['with borders of any script', word('пароль'), 'Пароль: 123', true],
  ['not inside a word of that script', word('пароль'), 'парольщик', false],
  ['as the adjective with н', word('секрет'), 'секретный документ', true],
  ['as the adjective in any case', word('секрет'), 'О СЕКРЕТНЫХ делах', true],
  ['not in the plural', word('секрет'), 'секреты', false],
  ['not in another case of its own', word('секрет'), 'секрета', false],
  ['a Latin keyword has no such adjective', word('secret'), 'secretный', false],
  ['a pattern of RE2', pattern('\\b\\d{4}-\\d{4}\\b'), 'card 1234-5678', true],
  ['a pattern may be found in part', pattern('^x'), 'yx', false],
  ['as often as asked for', word('a', 3), 'a b a', false],
  ['enough times', word('a', 3), 'a b a a', true],
  ['no more than allowed', pattern('a', 1, 2), 'aaa', false],
  ['exactly as often as allowed', pattern('a', 1, 2), 'aa', true],
]

for (const [name, condition, text, expected] of CASES) {
  test(name, () => assert.equal(compile({ all: [condition] })(text), expected))
}

test('all and any both hold, at any depth', () => {
  const rule = compile({
    all: [word('pay'), { any: [word('card'), { all: [word('bank'), word('account')] }] }],
    any: [word('now'), word('today')],
  })
  assert.equal(rule('pay by card today'), true)
  assert.equal(rule('pay from the bank account now'), true)
  assert.equal(rule('pay from the bank now'), false)
  assert.equal(rule('pay by card'), false)
  assert.equal(rule('card today'), false)
})
