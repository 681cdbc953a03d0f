import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import { laws } from '../law.js'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const CLIENT = 'parley_cli'

function form(fields: Record<string, string>) {
  return {
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  }
}

const errorOf = ({ body }: { body: unknown }) => (body as { error?: string }).error

export const oauthLaws = laws('OAuth', [
  {
    id: 'OAUTH-001',
    level: 'additions',
    rule: 'A sign-in by device gives a code to type, and is pending until somebody does.',
    operations: [api.startDeviceSignIn, api.exchangeToken],
    async run(lab) {
      const started = await lab.anonymous.send(api.startDeviceSignIn, form({ client_id: CLIENT }))
      assert.equal(started.status, 200)
      const { device_code, user_code, interval } = started.body as Record<string, string>
      assert.match(user_code ?? '', /^[A-Z]{4}-[A-Z]{4}$/)
      assert.equal(interval, 5)
      const asking = form({ grant_type: DEVICE, client_id: CLIENT, device_code: device_code ?? '' })
      const answer = await lab.anonymous.send(api.exchangeToken, asking)
      assert.deepEqual([answer.status, errorOf(answer)], [400, 'authorization_pending'])
      const again = await lab.anonymous.send(api.exchangeToken, asking)
      assert.deepEqual([again.status, errorOf(again)], [400, 'slow_down'])
    },
  },
  {
    id: 'OAUTH-002',
    rule: 'A code that was never given is refused with 400 invalid_grant, or 401 invalid_client.',
    operations: [api.exchangeToken],
    async run(lab) {
      const fields = { grant_type: 'refresh_token', client_id: CLIENT, refresh_token: 'never-given' }
      const answer = await lab.anonymous.send(api.exchangeToken, form(fields))
      const refusal = `${answer.status} ${errorOf(answer)}`
      assert.ok(['400 invalid_grant', '401 invalid_client'].includes(refusal), `the answer was ${refusal}`)
    },
  },
  {
    id: 'OAUTH-003',
    level: 'additions',
    rule: 'The server tells where it signs in, and by which methods.',
    operations: [api.getServerMetadata],
    async run(lab) {
      const body = await lab.anonymous.call(api.getServerMetadata)
      assert.ok(body.token_endpoint.endsWith('/oauth/token'), `token_endpoint is ${body.token_endpoint}`)
      assert.deepEqual(body.code_challenge_methods_supported, ['S256'])
    },
  },
])
