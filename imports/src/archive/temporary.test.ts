import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryFolder } from './temporary.js'

test('folders of killed processes are removed, those of living ones and of other containers stay', async (t) => {
  const parent = await mkdtemp(join(tmpdir(), 'parley-temporary-'))
  t.after(() => rm(parent, { recursive: true }))
  const [killed, living] = [0, 1].map(() => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']))
  t.after(() => living?.kill('SIGKILL'))
  killed?.kill('SIGKILL')
  await once(killed as NonNullable<typeof killed>, 'exit')
  const mine = basename(await makeTemporaryFolder(parent))
  const of = (pid: number | undefined) => mine.replace(/-\d+-[^-]*$/, `-${pid}-aaaaaa`)
  const [left, used, earlier] = [of(killed?.pid), of(living?.pid), of(process.pid)]
  const elsewhere = `parley-import-99-${killed?.pid}-aaaaaa`
  for (const name of [left, used, earlier, elsewhere, 'another-program']) {
    await mkdir(join(parent, name))
    await writeFile(join(parent, name, 'archive'), 'x')
  }
  await utimes(join(parent, earlier), 1_000, 1_000)
  const next = basename(await makeTemporaryFolder(parent))
  assert.deepEqual((await readdir(parent)).sort(), [mine, next, used, elsewhere, 'another-program'].sort())
})
