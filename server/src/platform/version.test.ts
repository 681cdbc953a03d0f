import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { world } from '../testing/world.js'

const ROOT = new URL('../../../', import.meta.url)

async function readPackage(folder: string): Promise<{ version: string; workspaces?: string[] }> {
  return JSON.parse(await readFile(new URL(`${folder}package.json`, ROOT), 'utf8'))
}

test('the version is that of package.json wherever it is told, and the change log begins with it', async (t) => {
  const { version, workspaces = [] } = await readPackage('')
  for (const workspace of workspaces) assert.equal((await readPackage(`${workspace}/`)).version, version)
  const log = await readFile(new URL('CHANGELOG.md', ROOT), 'utf8')
  assert.equal(/^## (\S+)/m.exec(log)?.[1], version)

  const { url, alice, bot, office, listen, drain } = await world(t)
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as { info: { version: string } }
  assert.equal(document.info.version, version)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(
    metrics,
    new RegExp(`^parley_build_info\\{version="${version}",node="${process.version}"\\} 1$`, 'm'),
  )
  const hook = await listen(bot, ['message_new'])
  await alice.call(api.createMessage, { body: { message: { entity_id: office.id, content: 'hello' } } })
  await drain()
  assert.equal(hook.requests[0]?.headers['user-agent'], `Parley/${version}`)
})
