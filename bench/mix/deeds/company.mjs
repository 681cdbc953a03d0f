// What administrators and an identity provider do beside everybody else.
import { word } from './words.mjs'

async function createRule({ call, known }, actor) {
  const rule = {
    name: word(known),
    priority: known.below(1000),
    enabled: known.chance(0.7),
    body: {
      conditions: { any: [{ type: 'keyword', value: 'secret' }] },
      action: { type: known.one(['AUDIT_LOG', 'BLOCK']), message: 'no' },
    },
  }
  const { data } = await call(actor.session ?? actor, 'POST', '/dlp_rules', rule)
  if (data) known.add('rule', data.id)
}

const DAY_MS = 86_400_000

async function orderExport({ call, clock }, actor) {
  const end_at = new Date(clock.now).toISOString()
  const start_at = new Date(Date.parse(clock.now) - DAY_MS).toISOString()
  await call(actor, 'POST', '/chats/exports', { start_at, end_at })
}

const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp']

/** The identity provider: makes people, gives and takes tags, and suspends. */
async function provision({ scim, known }) {
  const name = word(known)
  const { json, ok } = await scim('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: `${name}@example.org`,
    emails: [{ value: `${name}@example.org`, primary: true }],
    name: { givenName: name },
    active: true,
  })
  if (ok) known.add('passer-by', known.add('user', Number(json.id)))
}

async function patchGroup({ scim, known }) {
  const value = known.some('passer-by', 3).map((id) => ({ value: String(id) }))
  if (value.length === 0) return
  const op = known.one(['add', 'replace', 'remove'])
  const [first] = value
  const operation =
    op === 'remove' ? { op, path: `members[value eq "${first.value}"]` } : { op, path: 'members', value }
  await scim('PATCH', `/Groups/${known.pick('tag')}`, { schemas: PATCH, Operations: [operation] })
}

async function setActive({ scim, known }) {
  const Operations = [{ op: 'replace', path: 'active', value: known.chance(0.6) }]
  await scim('PATCH', `/Users/${known.pick('passer-by')}`, { schemas: PATCH, Operations })
}

export const companyDeeds = [
  [0.2, createRule],
  [
    0.4,
    ({ call, known }, actor) => call(actor.session ?? actor, 'DELETE', `/dlp_rules/${known.pick('rule')}`),
  ],
  [0.2, orderExport],
  [0.5, provision],
  [1, patchGroup],
  [0.7, setActive],
  [0.2, ({ scim, known }) => scim('DELETE', `/Users/${known.pick('passer-by')}`)],
  [0.3, ({ call }, actor) => call(actor, 'GET', '/audit_events?limit=50')],
  [0.2, ({ call }, actor) => call(actor.session ?? actor, 'GET', '/company/usage')],
  [
    0.2,
    ({ call, known }, actor) => call(actor.session ?? actor, 'GET', `/users/${known.pick('user')}/deletion`),
  ],
]
