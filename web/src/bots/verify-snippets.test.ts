import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { VERIFY } from './verify-snippets.js'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const BODY = '{"type":"message","content":"Grüße"}'

/** Signed by the library of the standard. */
function headersOf(secret: string, at = new Date()) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, BODY),
  }
}

const GENUINE = headersOf(SECRET)
const CASES = [
  { headers: GENUINE, body: BODY, genuine: true },
  {
    headers: { ...GENUINE, 'webhook-signature': `v1,AAAA ${GENUINE['webhook-signature']}` },
    body: BODY,
    genuine: true,
  },
  { headers: GENUINE, body: BODY.replace('G', 'H'), genuine: false },
  { headers: headersOf(OTHER), body: BODY, genuine: false },
  { headers: headersOf(SECRET, new Date(Date.now() - 3_600_000)), body: BODY, genuine: false },
]

function snippet(language: string) {
  const found = VERIFY.find((one) => one.language === language)
  assert.ok(found)
  return found.text
}

test('the snippet in JavaScript accepts what the secret signed, and nothing else', async (t) => {
  process.env.PARLEY_SIGNING_SECRET = SECRET
  t.after(() => delete process.env.PARLEY_SIGNING_SECRET)
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(snippet('js'))}`)
  for (const { headers, body, genuine } of CASES) assert.equal(isGenuine(headers, body), genuine)
})

test('the snippet in Python accepts what the secret signed, and nothing else', (t) => {
  if (spawnSync('python3', ['--version']).status !== 0) return t.skip('python3 is not installed')
  const program = `${snippet('python')}
import json, sys
for case in json.load(sys.stdin):
    assert is_genuine(case["headers"], case["body"].encode()) == case["genuine"], case
`
  const env = { ...process.env, PARLEY_SIGNING_SECRET: SECRET }
  execFileSync('python3', ['-c', program], { input: JSON.stringify(CASES), env })
})
