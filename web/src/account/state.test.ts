import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PersonCard, User } from '@parley/contract'
import { frame } from '../testing/shapes.js'
import { type Session, session } from './state.js'

const ME = 9
const names = {
  first_name: 'Ann',
  last_name: null,
  nickname: 'ann',
  title: null,
  image_url: null,
  time_zone: null,
}
const user = { id: ME, email: 'ann@example.org', role: 'user', ...names } as unknown as User
const before = { user, role: 'member' } as unknown as Session
const cardOf = (id: number, more: Partial<PersonCard>) =>
  ({ id, name: 'x', role: 'user', ...names, ...more }) as PersonCard
const heard = (people: PersonCard[]) =>
  session.reduce(before, { type: 'live', me: ME, frame: frame('company_members.updated', {}, { people }) })

test('who is renamed on another device, or by an administrator, is called by the new name', () => {
  const after = heard([cardOf(2, { nickname: 'bob' }), cardOf(ME, { nickname: 'anna', role: 'admin' })])
  assert.deepEqual(after, { ...before, user: { ...user, nickname: 'anna' } })
  assert.equal(heard([cardOf(2, { nickname: 'bob' }), cardOf(ME, {})]), before)
})
