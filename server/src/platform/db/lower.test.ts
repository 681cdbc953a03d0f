import assert from 'node:assert/strict'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { cloneDatabase } from '../../testing/cluster.js'
import { lowerBackend } from '../priority.js'
import { openPool, rows } from './index.js'
import { lowerPriorityOf } from './lower.js'

test('the database gives way while it works for a pool of lower priority, and for no other', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const database = await cloneDatabase()
  let ending = false
  // The database is dropped while backends of a low priority may not have ended yet.
  const onError = (error: Error) => assert.ok(ending, error)
  const open = () => openPool({ url: database.url, size: 1, onError })
  const [lowered, usual] = [open(), open()]
  t.after(async () => {
    ending = true
    await Promise.all([lowered.end(), usual.end()])
    await database.drop()
  })
  lowerPriorityOf(lowered)
  const priorityOf = async (pool: typeof usual) => {
    const [row] = await rows<{ pid: number }>(pool, 'select pg_backend_pid() as pid')
    return getPriority(row?.pid)
  }
  assert.equal(await priorityOf(lowered), Math.min(19, (await priorityOf(usual)) + 10))
})

test('a process that is no backend of the connection keeps its priority', () => {
  const before = getPriority(process.pid)
  lowerBackend(process.pid, undefined)
  assert.equal(getPriority(process.pid), before)
})
