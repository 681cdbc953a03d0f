import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), 'utf8')

test('the image is of one version, and its server can change nothing but its data', async () => {
  const file = await read('Dockerfile')
  for (const [, image] of file.matchAll(/^FROM (\S+)/gm)) assert.match(image!, /^node:\d+\.\d+\.\d+-/)
  const [, last] = file.split(/^FROM .*\n(?![\s\S]*^FROM )/m)
  assert.doesNotMatch(last!, /COPY .*--chown/)
  assert.match(last!, /^USER node$/m)
  assert.match(last!, /COPY --from=build \/out \/app/)
  assert.match(last!, /127\.0\.0\.1:\$\{process\.env\.PORT\}\/readyz/)
})

test('the image is made of every package of the workspace', async () => {
  const [file, manifest] = [await read('Dockerfile'), JSON.parse(await read('package.json'))]
  for (const name of manifest.workspaces as string[])
    assert.match(file, new RegExp(`^COPY ${name}/package.json ${name}/$`, 'm'))
})

test('the containers run with no more rights than they need', async () => {
  const services = (await read('compose.yaml')).split(/^ {2}(?=\w+:$)/m).slice(1)
  const bodies = services.filter((text) => /^ {4}(image|build):/m.test(text))
  assert.equal(bodies.length, 3)
  for (const body of bodies) {
    assert.match(body, /^ {4}cap_drop: \[ALL\]$/m)
    assert.match(body, /^ {4}security_opt: \["no-new-privileges:true"\]$/m)
    assert.doesNotMatch(body, /^ {4}image: \w+:\d+$/m)
  }
  assert.match(bodies[0]!, /^ {4}init: true$/m)
  assert.match(bodies[0]!, /^ {4}read_only: true$/m)
})
