import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cloneDatabase } from '@parley/server/testing/cluster'
import pg from 'pg'
import { command, emptyFolder } from './testing-terminal.js'

test('a workspace is exported, verified without a server, and imported into another one', async (t) => {
  const folder = await emptyFolder(t)
  const [a, b] = [await cloneDatabase(), await cloneDatabase()]
  t.after(() => Promise.all([a.drop(), b.drop()]))
  const here = { DATABASE_URL: a.url, PARLEY_DATA_DIR: join(folder, 'a') }
  const there = { DATABASE_URL: b.url, PARLEY_DATA_DIR: join(folder, 'b') }
  await command(['user', 'create', '--email', 'ann@example.org'], here)
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const [key, pub] = [join(folder, 'acme.key'), join(folder, 'acme.pub')]
  await writeFile(key, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  await writeFile(pub, publicKey.export({ format: 'pem', type: 'spki' }))
  const file = join(folder, 'acme.parley')
  const written = await command(['workspace', 'export', file, '--sign', key], here)
  assert.equal(written.code, 0, written.stderr)
  assert.match(written.stdout, /^ {2}person +2$/m)
  assert.match((await command(['workspace', 'export', file], here)).stderr, /exists already/)
  const verified = await command(['workspace', 'verify', file, '--signed-by', pub])
  assert.equal(verified.code, 0, verified.stdout)
  assert.match(verified.stdout, /is whole: Parley, .*\nSigned by the key /)
  const checked = await command(['workspace', 'import', file, '--check'], there)
  assert.match(
    checked.stdout,
    /nothing is written\n {2}by user 1, .*\n {2}person +2 read = 1 written \+ 1 merged \+ 0 skipped/,
  )
  const imported = await command(['workspace', 'import', file, '--signed-by', pub, '--json'], there)
  assert.equal(imported.code, 0, imported.stderr)
  assert.deepEqual(imported.json().counts.person, { read: 2, written: 1, merged: 1, skipped: 0 })
  const bytes = await readFile(file)
  bytes[200] = (bytes[200] ?? 0) ^ 1
  await writeFile(file, bytes)
  const broken = await command(['workspace', 'verify', file])
  assert.equal(broken.code, 1)
  assert.match(broken.stdout, /is not whole:\n {2}parley\.json/)
  assert.match(
    (await command(['workspace', 'import', file], there)).stderr,
    /cannot be imported: the file is not whole/,
  )
})

test('files that are encrypted with a key that is not set are neither exported nor imported beside', async (t) => {
  const [folder, { url, drop }] = [await emptyFolder(t), await cloneDatabase()]
  t.after(drop)
  const here = { DATABASE_URL: url, PARLEY_DATA_DIR: folder }
  const file = join(folder, 'acme.parley')
  assert.equal((await command(['workspace', 'export', file], here)).code, 0)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`update workspace set files_key_id = '\\x0102030405060708'`)
  await client.end()
  const refused =
    /^parley: Files of this workspace were encrypted with a key that PARLEY_FILES_KEY does not have/
  const verbs = [
    ['export', join(folder, 'again.parley')],
    ['import', file],
  ]
  for (const verb of verbs) {
    const { code, stderr } = await command(['workspace', ...verb], here)
    assert.equal(code, 1)
    assert.match(stderr, refused)
  }
  const lost = { ...here, PARLEY_FILES_KEY: 'lost' }
  assert.equal((await command(['workspace', 'export', join(folder, 'again.parley')], lost)).code, 0)
})
