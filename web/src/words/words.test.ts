import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEALTH_FINDINGS } from '@parley/contract/health-findings'
import { signIn as english } from './en/sign-in.js'
import { healthFindings } from './ru/health.js'
import { signIn as russian } from './ru/sign-in.js'

const namesIn = (text: string | undefined) => (text?.match(/\{\w+\}/g) ?? []).sort()

test('every finding of the health page has both languages, with the same values', () => {
  assert.deepEqual(Object.keys(healthFindings).sort(), Object.keys(HEALTH_FINDINGS).sort())
  for (const [code, finding] of Object.entries(HEALTH_FINDINGS)) {
    const given: { detail: string; advice?: string } = finding
    const own: { detail: string; advice?: string } = healthFindings[code as keyof typeof healthFindings]
    for (const part of ['detail', 'advice'] as const) {
      assert.deepEqual(namesIn(own[part]), namesIn(given[part]), `${code} ${part}`)
      assert.equal(own[part] === undefined, given[part] === undefined, `${code} ${part}`)
    }
  }
})

test('every finding about an identity provider has both languages, with the same values', () => {
  assert.deepEqual(Object.keys(russian.findings).sort(), Object.keys(english.findings).sort())
  for (const [code, text] of Object.entries(english.findings))
    assert.deepEqual(namesIn(russian.findings[code as keyof typeof russian.findings]), namesIn(text), code)
})
