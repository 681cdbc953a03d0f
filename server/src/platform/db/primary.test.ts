import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config.js'
import { hostName, hostsOf } from './hosts.js'

test('an address may name several hosts, each with its port', () => {
  const one = 'postgres://a:b@db:5432/parley?sslmode=require'
  assert.deepEqual(hostsOf(one), [one])
  assert.deepEqual(hostsOf('postgres:///parley?host=%2Ftmp'), ['postgres:///parley?host=%2Ftmp'])
  assert.deepEqual(
    hostsOf('postgres://a:b@db1:5432,db2:5433/parley?target_session_attrs=read-write&sslmode=require'),
    ['postgres://a:b@db1:5432/parley?sslmode=require', 'postgres://a:b@db2:5433/parley?sslmode=require'],
  )
  assert.deepEqual(hostsOf('postgres://db1,db2/parley'), ['postgres://db1/parley', 'postgres://db2/parley'])
  assert.equal(hostName('postgres://a:secret@db1:5432/parley'), 'db1:5432')
})

test('an address of several hosts that cannot be used is refused at the start', () => {
  for (const [address, fault] of [
    ['postgres://db1,/parley', /DATABASE_URL names several hosts, and one of them is empty/],
    ['postgres://db1,:5432/parley', /one of them is empty/],
    [
      'postgres://db1,db2/parley?target_session_attrs=any',
      /must ask for target_session_attrs=read-write, not any/,
    ],
  ] as const)
    assert.throws(() => readConfig({ DATABASE_URL: address }), fault)
})
