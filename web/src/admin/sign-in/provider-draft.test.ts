import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf, inputOf, newProvider, newRule, slugOf } from './provider-draft.js'

test('a form sends lists, leaves out rules without a group, and keeps the secret where none was written', () => {
  const rules = [{ ...newRule(), group: ' ops ', role: 'admin' as const }, newRule()]
  const draft = {
    ...newProvider(),
    name: 'House',
    allowed_domains: 'a.org, b.org',
    scopes: 'email groups',
    rules,
  }
  const change = changeOf(draft)
  assert.deepEqual(change.allowed_domains, ['a.org', 'b.org'])
  assert.deepEqual(change.scopes, ['email', 'groups'])
  assert.deepEqual(change.group_rules, [{ group: 'ops', role: 'admin', tag: null }])
  assert.ok(!('client_secret' in change) && !('slug' in change))
  assert.equal(inputOf({ ...draft, slug: 'house', client_secret: 's' }).client_secret, 's')
})

test('a short name is made of letters and digits', () => {
  assert.equal(slugOf('  House & Sons ID!'), 'house-sons-id')
  assert.equal(slugOf('Дом'), '')
})
