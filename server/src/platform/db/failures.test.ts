import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { test } from 'node:test'
import { isConnectionLost } from './failures.js'

test('a socket that is not there is a lost connection, any other file that is not there is none', async () => {
  const socket = connect('/nowhere/.s.PGSQL.5432')
  const refused = await new Promise<Error>((resolve) => socket.once('error', resolve))
  assert.equal(isConnectionLost(refused), true)
  const missing = await readFile('/nowhere/report.html').catch((error: Error) => error)
  assert.ok(missing instanceof Error)
  assert.equal(isConnectionLost(missing), false)
})
