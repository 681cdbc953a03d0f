import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { TestContext } from 'node:test'
import { getTokenInfo } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { hashClientSecret } from '../oauth/clients.js'
import { scopesOf } from '../oauth/tokens.js'
import { openBrowser } from '../testing/browser.js'
import { type World, type WorldOptions, world } from '../testing/world.js'

export const SECRET = 'the secret of the client'
export const VERIFIER = 'v'.repeat(43)
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
export const BACK = 'https://bot.example.org/back'

/** A world in which the bot may ask employees for consent, and alice has a password. */
export async function stage(t: TestContext, client: object = {}, options: WorldOptions = {}) {
  const scene = await world(t, options)
  const oauth_client = {
    client_id: 'helper',
    secret_hash: hashClientSecret(SECRET),
    secret_mask: 'the secr...ient',
    confidential: true,
    redirect_uris: [BACK, 'http://localhost:3000/back'],
    scopes: ['messages:read', 'audit_events:read'],
    enabled: true,
    ...client,
  }
  await scene.ctx.db
    .updateTable('bots')
    .set({ oauth_client: JSON.stringify(oauth_client) })
    .where('user_id', '=', scene.bot.id)
    .execute()
  await givePassword(scene, scene.alice.id)
  return scene
}

export async function givePassword({ ctx }: World, user_id: number) {
  const password_hash = await ctx.passwords.hash('open sesame')
  await ctx.db.updateTable('users').set({ password_hash }).where('id', '=', user_id).execute()
}

export function setClient({ ctx, bot }: World, change: object) {
  return ctx.pool.query('update bots set oauth_client = oauth_client || $1 where user_id = $2', [
    JSON.stringify(change),
    bot.id,
  ])
}

export function linkOf(query: Record<string, string> = {}): string {
  const usual = { client_id: 'helper', redirect_uri: BACK, response_type: 'code', state: 'a b&c' }
  return `/apps/authorize?${new URLSearchParams({ ...usual, ...query })}`
}

export const WITH_CHALLENGE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

export async function signedIn({ url }: World, path: string, email = 'alice@example.org') {
  const browser = openBrowser(url)
  const door = await browser.visit(path)
  const answer = await browser.submit(path, door, 'sign-in', { email, password: 'open sesame' })
  assert.equal(answer.status, 303, answer.text)
  return browser
}

/** Signs in, consents, and gives the code that came back. */
export async function codeFor(scene: World, path = linkOf()): Promise<string> {
  const browser = await signedIn(scene, path)
  const consent = await browser.visit(path)
  const back =
    consent.status === 302 ? consent : await browser.submit(path, consent, 'consent', { answer: 'allow' })
  return new URL(back.location as string).searchParams.get('code') as string
}

export async function post(
  { url }: World,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const init = { method: 'POST', body: new URLSearchParams(fields), headers }
  const answer = await fetch(`${url}/v1${path}`, init)
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : undefined }
}

export function exchange(scene: World, fields: Record<string, string>, headers?: Record<string, string>) {
  const usual = { grant_type: 'authorization_code', client_id: 'helper', redirect_uri: BACK }
  return post(scene, '/oauth/token', { ...usual, ...fields }, headers)
}

export const withSecret = (fields: Record<string, string>) => ({ client_secret: SECRET, ...fields })

export function infoOf({ url }: World, token: string) {
  return createClient({ base_url: `${url}/v1`, token }).call(getTokenInfo)
}

export async function audit({ ctx }: World, key: string) {
  const rows = await ctx.db.selectFrom('audit_events').selectAll().where('event_key', '=', key).execute()
  return rows.map(({ actor_id, entity_type, entity_id, details }) => ({
    actor_id,
    entity_type,
    entity_id,
    details,
  }))
}

export async function startDevice(scene: World, fields: Record<string, string> = {}) {
  const { status, body } = await post(scene, '/oauth/device_authorization', {
    client_id: 'parley_cli',
    ...fields,
  })
  assert.equal(status, 200)
  return body as { device_code: string; user_code: string; verification_uri: string }
}

export function poll(scene: World, device_code: string) {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return post(scene, '/oauth/token', { grant_type, client_id: 'parley_cli', device_code })
}

export async function settle(scene: World, user_code: string, answer: string) {
  const path = '/apps/authorize'
  const browser = await signedIn(scene, path)
  const typed = await browser.submit(path, await browser.visit(path), 'code', {
    user_code: user_code.toLowerCase().replace('-', ' '),
  })
  return { typed, done: await browser.submit(path, typed, 'device', { answer }) }
}

/** What the log says when alice has answered for a device that asked for everything. */
export function settledDevice({ alice }: World) {
  return {
    actor_id: alice.id,
    entity_type: 'User',
    entity_id: String(alice.id),
    details: { client_id: 'parley_cli', scopes: scopesOf('user') },
  }
}
