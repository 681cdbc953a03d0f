import assert from 'node:assert/strict'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLogFile } from './log-file.js'

test('a log that has grown is begun again, and the last one kept', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-log-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'postgres.log')
  await writeFile(path, 'a line\n'.repeat(2_000_000))

  const log = await openLogFile(path)
  assert.equal((await stat(path)).size, 0)
  assert.equal((await stat(`${path}.1`)).size, 14_000_000)
  await writeFile(path, 'one\ntwo\n', { flag: 'a' })
  assert.equal(await log.tail(), 'one\ntwo')
  await log.close()
})
