import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { copyBinaries, findBinaries, linkLibraries } from './binaries.js'

test('an install without scripts gets its library links, and a copy of it runs', async (t) => {
  const base = await mkdtemp(join(tmpdir(), 'parley-binaries-'))
  t.after(() => rm(base, { recursive: true }))
  const found = findBinaries()
  const bare = join(base, 'package', 'native')
  const links = JSON.parse(await readFile(join(found, 'pg-symlinks.json'), 'utf8'))
  const targets = new Set(links.map(({ target }: { target: string }) => join(dirname(found), target)))
  await cp(found, bare, { recursive: true, filter: (source) => !targets.has(source) })
  await cp(join(found, '..', 'package.json'), join(base, 'package', 'package.json'))

  const copy = await copyBinaries(bare, base)
  assert.match(version(copy), /PostgreSQL\) 18/)
  assert.equal((await stat(join(copy, 'bin', 'postgres'))).mode & 0o777, 0o755)
  assert.equal(await copyBinaries(bare, base), copy)
  assert.deepEqual(
    (await readdir(base)).filter((name) => name.includes('unfinished')),
    [],
  )

  await linkLibraries(bare)
  await linkLibraries(bare)
  assert.match(version(bare), /PostgreSQL\) 18/)
})

function version(native: string): string {
  return execFileSync(join(native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' })
}
