import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { startSandbox } from '@parley/sdk'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

test('the packages hold what runs and nothing else, and the server and the laws start from theirs', async (t) => {
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
  const laws = await unpack('parley-conformance')
  assert.deepEqual(
    [...server, ...kit, ...laws].filter((path) =>
      /\.test\.|(^|\/)testing(-|\/|\.js)|\.map$|(^|\/)src(\/|$)/.test(path),
    ),
    [],
  )
  for (const part of [
    'server/migrations/0001-start.sql',
    'web/dist/index.html',
    'server/dist/guides/first-bot.md',
  ])
    assert.ok(server.includes(join(part)), part)
  assert.ok(kit.includes('dist/index.d.ts'))
  const manifest = JSON.parse(await readFile(join(folder, 'parley-sdk/package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)

  const { dependencies, bin } = JSON.parse(await readFile(join(folder, 'parley-cli/package.json'), 'utf8'))
  assert.deepEqual(Object.keys(dependencies), ['sharp'])
  assert.match(await readFile(join(folder, 'parley-cli/LICENSES.txt'), 'utf8'), /^fastify .*\(MIT\)$/m)

  const { connect } = await import(pathToFileURL(join(folder, 'parley-sdk/dist/index.js')).href)
  const command = [process.execPath, join(folder, 'parley-cli', bin.parley)]
  const sandbox = await startSandbox({ command, env: { PARLEY_LOG_LEVEL: 'silent' } })
  t.after(() => sandbox.stop())
  const owner = connect({ base_url: sandbox.base_url, token: sandbox.owner_token })
  assert.equal((await owner.profile.get()).id, sandbox.owner_id)
  // Runs in a thread, which is a file of its own.
  const { id } = await owner.bots.create({ bot: { name: 'CI' } })
  const trial = { template: '{{ name }}!', template_engine: 'liquid', body: { name: 'main' } }
  const tried = await fetch(`${sandbox.base_url}/bots/${id}/webhook/try_template`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${sandbox.owner_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(trial),
  })
  assert.match(await tried.text(), /main!/)
  const script = await fetch(new URL('/docs/scalar.js', sandbox.base_url))
  assert.equal(script.status, 200)
  assert.ok((await script.text()).length > 0)

  assert.ok(laws.includes('requirements/2026-11.json'))
  const tryLaws = join(folder, 'parley-conformance/bin/conformance.mjs')
  const given = ['--url', sandbox.base_url, '--token', sandbox.owner_token, '--only', 'PIN-']
  const { stdout } = await promisify(execFile)(process.execPath, [tryLaws, ...given])
  assert.match(stdout, /^2 passed$/m)
})
