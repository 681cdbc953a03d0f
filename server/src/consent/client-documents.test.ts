import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { type TestContext, test } from 'node:test'
import {
  auth,
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import * as api from '@parley/contract'
import { generate } from 'selfsigned'
import { createOutbound } from '../platform/outbound/outbound.js'
import { receive, receiveTls } from '../platform/outbound/testing-receiver.js'
import { type World, world } from '../testing/world.js'
import {
  BACK,
  codeFor,
  exchange,
  givePassword,
  infoOf,
  linkOf,
  signedIn,
  VERIFIER,
  WITH_CHALLENGE,
} from './testing-flows.js'

const SCOPES = ['messages:read']

interface Served {
  status?: number
  headers?: Record<string, string>
  body?: string
}

/** The server of an app, whose document can be changed. */
async function serveDocument(t: TestContext) {
  const asked: string[] = []
  let served: (address: string) => Served = () => ({ status: 404 })
  const { port } = await receive(t, (request, reply) => {
    asked.push(request.url as string)
    const { status = 200, headers = {}, body = '' } = served(`http://127.0.0.1:${port}${request.url}`)
    reply.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
  })
  const address = `http://127.0.0.1:${port}/app/client.json`
  return {
    address,
    asked,
    serve(document: object, headers: Record<string, string> = {}) {
      served = (client_id) => ({
        headers,
        body: JSON.stringify({ client_id, client_name: 'App', ...document }),
      })
    },
    answer(answer: Served) {
      served = () => answer
    },
  }
}

const setUp = ({ alice, bot }: World, client_id: string | null) =>
  alice.call(api.updateBot, {
    params: { id: bot.id },
    body: { webhook: {}, oauth_client: { client_id, scopes: SCOPES } },
  })

test('an app is known by the document at its address, and leads back where the document says now', async (t) => {
  const scene = await world(t)
  const app = await serveDocument(t)
  app.serve({ redirect_uris: [BACK, 'http://localhost/back'] }, { 'Cache-Control': 'max-age=600' })
  const { data } = await setUp(scene, app.address)
  assert.deepEqual(
    [data.oauth_client?.client_id, data.oauth_client?.confidential, data.oauth_client?.redirect_uris],
    [app.address, false, [BACK, 'http://localhost/back']],
  )
  await givePassword(scene, scene.alice.id)
  const link = (redirect_uri: string) => linkOf({ client_id: app.address, redirect_uri, ...WITH_CHALLENGE })
  const code = await codeFor(scene, link(BACK))
  const proof = { client_id: app.address, redirect_uri: BACK, code, code_verifier: VERIFIER }
  const { body } = await exchange(scene, proof)
  assert.deepEqual((await infoOf(scene, body.access_token)).data.scopes, SCOPES)
  assert.equal(app.asked.length, 1, 'what is fresh is not asked for again')

  const browser = await signedIn(scene, link(BACK))
  assert.equal(
    (await browser.visit(link('http://localhost:4711/back'))).status,
    200,
    'any port of this machine',
  )
  assert.equal((await browser.visit(link('https://elsewhere.example.org/'))).status, 400)
  app.serve({ redirect_uris: ['https://new.example.org/back'] })
  scene.clock.advance(601_000)
  assert.equal((await browser.visit(link(BACK))).status, 400)
  assert.equal((await browser.visit(link('https://new.example.org/back'))).status, 200)
  scene.clock.advance(601_000)
  app.answer({ status: 500 })
  const gone = await browser.visit(link('https://new.example.org/back'))
  assert.equal(gone.status, 400)
  assert.ok(gone.text.includes('the address answered 500'))

  const { data: own } = await setUp(scene, null)
  assert.match(own.oauth_client?.client_id ?? '', /^[0-9a-f]{32}$/)
  assert.equal((await browser.visit(link('https://new.example.org/back'))).status, 400)
})

test('a document that is none, or of somebody else, is refused with the reason', async (t) => {
  const scene = await world(t)
  const app = await serveDocument(t)
  const uris = { redirect_uris: [BACK] }
  const cases: [reason: RegExp, prepare: () => void][] = [
    [/another one/, () => app.serve({ ...uris, client_id: 'https://other.example.org/client.json' })],
    [/lacks client_id or redirect_uris/, () => app.serve({})],
    [/must be https/, () => app.serve({ redirect_uris: ['http://example.org/back'] })],
    [/must be none/, () => app.serve({ ...uris, token_endpoint_auth_method: 'client_secret_basic' })],
    [/answered 302/, () => app.answer({ status: 302, headers: { Location: 'http://127.0.0.1/' } })],
    [/is no JSON/, () => app.answer({ body: '<html>' })],
    [/is no JSON/, () => app.answer({ headers: { 'Content-Type': 'text/html' }, body: '{}' })],
    [/over 65536 bytes/, () => app.answer({ body: ' '.repeat(70_000) })],
  ]
  for (const [message, prepare] of cases) {
    prepare()
    await assert.rejects(setUp(scene, app.address), (error: { status: number; message: string }) => {
      assert.deepEqual([error.status, message.test(error.message)], [422, true], error.message)
      return true
    })
  }
  const before = app.asked.length
  for (const address of [
    'http://example.org/client.json',
    'https://example.org/',
    'https://a@example.org/c',
    'x',
  ])
    await assert.rejects(setUp(scene, address), { status: 422, code: 'invalid' })
  assert.equal(app.asked.length, before)

  app.serve(uris)
  await setUp(scene, app.address)
  const twice = scene.alice.call(api.createBot, {
    body: { webhook: { name: 'Copy' }, oauth_client: { client_id: app.address } },
  })
  await assert.rejects(twice, { code: 'already_exists' })
})

/** Keeps what the official client keeps, in memory. */
function providerOf(clientMetadataUrl: string) {
  const kept: {
    client?: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0]
    discovered?: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0]
    verifier?: string
    address?: URL
    tokens?: { access_token: string }
  } = {}
  const provider: OAuthClientProvider = {
    redirectUrl: BACK,
    clientMetadataUrl,
    clientMetadata: { redirect_uris: [BACK], client_name: 'App' },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    discoveryState: () => kept.discovered,
    saveDiscoveryState: (state) => {
      kept.discovered = state
    },
    tokens: () => undefined,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (address) => {
      kept.address = address
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier as string,
  }
  return { kept, provider }
}

test('the official client signs somebody in with the address of its document as its id', async (t) => {
  const scene = await world(t)
  const pair = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const listener: RequestListener = (request, reply) => {
    const client_id = `https://${request.headers.host}${request.url}`
    reply.writeHead(200, { 'Content-Type': 'application/json' })
    reply.end(JSON.stringify({ client_id, client_name: 'App', redirect_uris: [BACK] }))
  }
  const { port } = await receiveTls(t, { key: pair.private, cert: pair.cert }, listener)
  const address = `https://127.0.0.1:${port}/client.json`
  const { ctx } = scene
  const { outbound } = ctx
  ctx.outbound = createOutbound({ allow: [], allowLoopback: true, ca: pair.cert })
  t.after(async () => {
    await ctx.outbound.close()
    ctx.outbound = outbound
  })
  await setUp(scene, address)
  await givePassword(scene, scene.alice.id)
  const { kept, provider } = providerOf(address)
  const serverUrl = `${scene.url}/mcp`
  assert.equal(await auth(provider, { serverUrl }), 'REDIRECT')
  const { pathname, search, searchParams } = kept.address as URL
  assert.equal(searchParams.get('client_id'), address)
  const authorizationCode = await codeFor(scene, `${pathname}${search}`)
  const iss = new URL(scene.url).origin
  assert.equal(await auth(provider, { serverUrl, authorizationCode, iss }), 'AUTHORIZED')
  const transport = new StreamableHTTPClientTransport(new URL(serverUrl), {
    requestInit: { headers: { Authorization: `Bearer ${kept.tokens?.access_token}` } },
  })
  const client = new Client({ name: 'App', version: '1' })
  await client.connect(transport)
  t.after(() => client.close())
  const { structuredContent } = await client.callTool({ name: 'whoami', arguments: {} })
  assert.equal((structuredContent as { data: { user_id: number } }).data.user_id, scene.alice.id)
})
