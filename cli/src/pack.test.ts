import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startSandbox } from '@parley/sdk'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('the packages hold what runs and nothing else, and the server starts from its package', async (t) => {
  await mkdir(join(ROOT, 'packages'), { recursive: true })
  // Inside the repository, so that the dependencies that an installation would fetch are found.
  const folder = await mkdtemp(join(ROOT, 'packages', 'test-'))
  t.after(() => rm(folder, { recursive: true }))
  execFileSync(process.execPath, [join(ROOT, 'scripts/pack.mjs'), folder], { stdio: 'ignore' })
  const unpack = async (name: string) => {
    const file = (await readdir(folder)).find((one) => one.startsWith(name) && one.endsWith('.tgz')) ?? ''
    await mkdir(join(folder, name))
    execFileSync('tar', ['-xzf', file, '-C', name, '--strip-components=1'], { cwd: folder })
    return readdir(join(folder, name), { recursive: true })
  }
  const server = await unpack('parley-cli')
  const kit = await unpack('parley-sdk')
  assert.deepEqual(
    [...server, ...kit].filter((path) =>
      /\.test\.|(^|\/)testing(-|\/|\.js)|\.map$|(^|\/)src(\/|$)/.test(path),
    ),
    [],
  )
  for (const part of [
    'server/migrations/0001-start.sql',
    'web/dist/index.html',
    'server/dist/guides/first-bot.md',
  ])
    assert.ok(server.includes(join('node_modules/@parley', part)), part)
  assert.ok(kit.includes('dist/index.d.ts'))
  const manifest = JSON.parse(await readFile(join(folder, 'parley-sdk/package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)

  // What an installation would put beside them, where the repository keeps another version at its top.
  const own = join(ROOT, 'cli/node_modules')
  for (const name of existsSync(own) ? (await readdir(own)).filter((one) => /^\w/.test(one)) : [])
    await symlink(join(own, name), join(folder, 'parley-cli/node_modules', name))
  for (const name of await readdir(join(folder, 'parley-cli/node_modules/@parley'))) {
    const theirs = join(ROOT, name, 'node_modules')
    if (existsSync(theirs))
      await symlink(theirs, join(folder, 'parley-cli/node_modules/@parley', name, 'node_modules'))
  }

  const { connect } = await import(pathToFileURL(join(folder, 'parley-sdk/dist/index.js')).href)
  const command = [process.execPath, join(folder, 'parley-cli/bin/parley.mjs')]
  const sandbox = await startSandbox({ command, env: { PARLEY_LOG_LEVEL: 'silent' } })
  t.after(() => sandbox.stop())
  const owner = connect({ base_url: sandbox.base_url, token: sandbox.owner_token })
  assert.equal((await owner.profile.get()).id, sandbox.owner_id)
  assert.equal((await fetch(new URL('/docs/scalar.js', sandbox.base_url))).status, 200)
})
