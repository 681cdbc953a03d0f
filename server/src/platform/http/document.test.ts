import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openapi } from '@parley/contract'
import { Ajv } from 'ajv'
import { world } from '../../testing/world.js'
import { RELEASE } from '../version.js'

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape
type Document = any

test('the document of a server names its own addresses, and no sandbox where there is none', async (t) => {
  const { url } = await world(t, { env: { PARLEY_PUBLIC_URL: 'https://chat.example.org' } })
  const document: Document = await (await fetch(`${url}/openapi.json`)).json()
  assert.deepEqual(document.servers, [{ url: 'https://chat.example.org/v1' }])
  assert.deepEqual(document.paths['/apps/authorize'].servers, [{ url: 'https://chat.example.org' }])
  assert.deepEqual(
    Object.keys(document.paths).filter((path) => path.startsWith('/sandbox')),
    [],
  )
  const shown: Document = await (await fetch(`${url}/docs/document.json`)).json()
  assert.deepEqual(Object.keys(shown.paths), Object.keys(document.paths))
})

test('the reference begins with the guides, which refer to each other, and loads nothing from elsewhere', async (t) => {
  const { url } = await world(t)
  const { info }: Document = await (await fetch(`${url}/docs/document.json`)).json()
  assert.match(info.description, /^# A first bot in ten minutes$/m)
  assert.match(info.description, /\[webhooks\]\(#description\/webhooks\)/)
  assert.doesNotMatch(info.description, /\]\([\w./-]+\.(md|mjs)\)/)
  const page = await fetch(`${url}/docs`)
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self';/)
  for (const [, path = ''] of (await page.text()).matchAll(/src="([^"]*)"/g)) {
    const script = await fetch(new URL(path, url))
    assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/)
    await script.text()
  }
})

test('refusals of OAuth, of pages and of a bad Idempotency-Key have the shape that is declared', async (t) => {
  const { url, alice } = await world(t)
  const { paths, components }: Document = openapi(RELEASE)
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const declared = (path: string, method: string, status: number) => {
    const content = paths[path]?.[method]?.responses[status]?.content ?? {}
    return { media: Object.keys(content), schema: { ...content['application/json']?.schema, components } }
  }
  const form = { method: 'POST', body: new URLSearchParams({ client_id: '', grant_type: 'x' }) }
  for (const path of ['/oauth/token', '/oauth/device_authorization']) {
    const answer = await fetch(`${url}/v1${path}`, form)
    const body = (await answer.json()) as Document
    assert.equal(typeof body.error, 'string')
    assert.ok(ajv.validate(declared(path, 'post', answer.status).schema, body), `${path} ${answer.status}`)
  }
  const page = await fetch(`${url}/apps/authorize`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) })
  assert.equal(page.status, 403)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  assert.ok(declared('/apps/authorize', 'post', 403).media.includes('text/html'))

  const headers = { Authorization: `Bearer ${alice.token}`, 'Idempotency-Key': '' }
  const refused = await fetch(`${url}/v1/profile/status`, { method: 'DELETE', headers })
  assert.equal(refused.status, 400)
  assert.ok(ajv.validate(declared('/profile/status', 'delete', 400).schema, await refused.json()))
})

test('what is no HTTP request is refused in the words of the contract', async (t) => {
  const { url } = await world(t)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('GET /livez HTTP/9.9\r\nno header\r\n\r\n')
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  assert.match(head, /^HTTP\/1.1 400 Bad Request/)
  assert.equal(JSON.parse(body).errors[0].code, 'wrong_params')
})
