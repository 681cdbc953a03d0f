import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInvitations } from './invitations.js'

test('people are read from lines of CSV, and lines without a mail are told', () => {
  const text =
    'email,first,last,role\nmira@example.org, Mira, "Lane, Dr", admin\n\nnobody\nlena@example.org;Lena;;king'
  assert.deepEqual(readInvitations(text), {
    people: [
      { line: 2, email: 'mira@example.org', first_name: 'Mira', last_name: 'Lane, Dr', role: 'admin' },
      { line: 5, email: 'lena@example.org', first_name: 'Lena' },
    ],
    wrong: [4],
  })
})
