// What a caller may not see is refused like what does not exist, by every operation that takes an id in its path.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { OPERATIONS, type Operation } from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import { scopesOf } from './oauth/tokens.js'
import { readExamples } from './platform/http/examples.js'
import { HIDDEN_WORD, hideChat, hideThings, type Ids } from './testing/hidden-things.js'
import { type Person, type World, world } from './testing/world.js'

/** The kind of thing that a parameter names, by the beginning of the path; the first that fits counts. */
const KINDS: readonly [path: string, kinds: Record<string, string>][] = [
  ['/chats/exports/', { id: 'export' }],
  ['/chats/', { id: 'chat' }],
  ['/messages/', { id: 'message' }],
  ['/threads/', { id: 'thread' }],
  ['/files/', { id: 'file' }],
  ['/tasks/', { id: 'task' }],
  ['/drafts/', { id: 'draft' }],
  [
    '/bots/',
    {
      id: 'bot',
      token_id: 'bot_token',
      endpoint_id: 'endpoint',
      replay_id: 'replay',
      delivery_id: 'delivery',
    },
  ],
  ['/bot/', { endpoint_id: 'endpoint', replay_id: 'replay' }],
  ['/views/', { id: 'view', view_id: 'view' }],
  ['/webhooks/events/', { id: 'queued_event' }],
  ['/approvals/', { id: 'approval' }],
  ['/refusals/', { request_id: 'refusal' }],
  ['/personal_tokens/', { id: 'personal_token' }],
  ['/profile/push/', { id: 'push' }],
  ['/profile/sessions/', { id: 'session' }],
  ['/profile/passkeys/', { id: 'passkey' }],
  ['/profile/identities/', { provider_id: 'identity' }],
  ['/oauth/devices/', { id: 'login' }],
  ['/oauth/grants/', { bot_id: 'bot' }],
  ['/users/', { id: 'user', user_id: 'user' }],
]

/** Parameters that hide nothing from those who may call, or that are secrets themselves. */
const OPEN: Record<string, string> = {
  '/custom_properties/{id}': 'fields of the workspace, for its admins',
  '/dlp_rules/{id}': 'rules of the workspace, for its admins',
  '/company/': 'settings of the workspace, for its owner or admins',
  '/tokens/{id}': 'tokens of the workspace, for its admins',
  '/group_tags/{id}': 'tags are for everybody who may call',
  '/invites/{token}': 'a secret',
  '/password_resets/{token}': 'a secret',
  '/mail_digests/{token}': 'a secret',
  '/webhooks/{webhook_key}': 'a secret',
  '/avatars/{name}': 'a name that cannot be guessed, for everybody',
  '/sign-in/oidc/{slug}': 'shown to everybody who signs in',
}

/** Parameters within a thing that the caller sees: members and tags of a chat, the position of a picture. */
const WITHIN = new Set(['/chats/ user_id', '/chats/ tag_id', '/bots/ position'])

/** Where the contract itself tells apart what is closed (403) from what is not there (404), in its words. */
const TOLD: Record<string, string> = {
  chat: 'an existing chat or thread closed to the caller answers 403',
  message: 'an existing chat or thread closed to the caller answers 403',
  thread: 'an existing chat or thread closed to the caller answers 403',
  bot: 'unknown bot: 404; known but closed: 403',
  task: 'rule task.read: its author, its performers and members of its chat may; no right on the object: 403',
  file: 'rule file.read: you may not read the message that it hangs on; no right on the object: 403',
}

/** A chat outside the limits of a token, and everything in it, is not there. */
const OF_CHATS = new Set(['chat', 'message', 'thread', 'task', 'file'])

const EXAMPLES = readExamples()
const ABSENT: Record<string, string> = {
  view: '01BX5ZZKBKACTAV9WEVGEMMVRZ',
  queued_event: '01BX5ZZKBKACTAV9WEVGEMMVRZ',
  refusal: 'never-asked',
}
const absentOf = (kind: string) => ABSENT[kind] ?? 987_654_321

const namesIn = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)

function kindsOf({ path }: Operation): Record<string, string> | undefined {
  return KINDS.find(([start]) => path.startsWith(start))?.[1]
}

const operations = OPERATIONS.filter(
  (operation) =>
    namesIn(operation).length > 0 &&
    operation.roles.length > 0 &&
    !operation.sandbox &&
    !Object.keys(OPEN).some((start) => operation.path.startsWith(start)),
)

interface Caller {
  role: api.Role
  token: Person
  session?: Person
  hidden: Ids
  /** Things of the caller, for parameters before the one that is tried. */
  own: Ids
  /** Kinds that this caller sees. */
  sees?: readonly string[]
  /** The token is limited to some chats, and the hidden one is not among them. */
  limited?: true
}

async function ask({ url }: World, { token, session }: Caller, operation: Operation, params: Ids) {
  const { parameters = {}, request } = EXAMPLES[operation.id] ?? {}
  const names = namesIn(operation)
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  const query = Object.entries(parameters).filter(([name]) => !names.includes(name))
  const search = new URLSearchParams(Object.fromEntries(query.map(([name, value]) => [name, String(value)])))
  const hasBody = request !== undefined && !operation.media
  const answer = await fetch(`${url}${operation.root ? '' : '/v1'}${path}?${search}`, {
    method: operation.method,
    headers: {
      Authorization: `Bearer ${operation.sessionOnly && session ? session.token : token.token}`,
      ...(hasBody && { 'Content-Type': 'application/json' }),
    },
    ...(hasBody && { body: JSON.stringify(request) }),
    redirect: 'manual',
  })
  return { status: answer.status, text: await answer.text() }
}

/** The body of a refusal, with the id that was asked for replaced, also in sentences. */
const shapeOf = (text: string, id: number | string) => text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID')

/** Tries one parameter of an operation with what is hidden and with what is not there; returns what differs. */
async function compare(scene: World, caller: Caller, operation: Operation, name: string) {
  const kinds = kindsOf(operation) as Record<string, string>
  const kind = kinds[name] as string
  const names = namesIn(operation)
  const before = names.slice(0, names.indexOf(name))
  const idFor = (other: string) =>
    (before.includes(other) ? caller.own : caller.hidden)[kinds[other] ?? ''] ?? 1
  const params: Ids = Object.fromEntries(names.map((other) => [other, idFor(other)]))
  const absent = absentOf(kind)
  const hidden = await ask(scene, caller, operation, params)
  const missing = await ask(scene, caller, operation, { ...params, [name]: absent })
  const where = `${operation.id} {${name}} as ${caller.role}${caller.limited ? ' with limits' : ''}`
  if (hidden.status >= 500) return [`${where} fails: ${hidden.text}`]
  if (hidden.text.includes(HIDDEN_WORD)) return [`${where} shows ${hidden.text}`]
  if (
    hidden.status === missing.status &&
    shapeOf(hidden.text, params[name] as number) === shapeOf(missing.text, absent)
  )
    return []
  const told = kind in TOLD && !(caller.limited && OF_CHATS.has(kind))
  if (told && hidden.status === 403 && missing.status === 404) return []
  return [`${where}: ${hidden.status} ${hidden.text} and ${missing.status} ${missing.text}`]
}

async function callersOf(scene: World): Promise<Caller[]> {
  const { mia, bob, admin, bot, office } = scene
  const hidden = await hideThings(scene)
  const session = async ({ id }: Person) => scene.as(id, { session: true })
  const { data: own } = await bob.call(api.createBot, { body: { webhook: { name: 'Own', can_edit: [] } } })
  const limits = { chat_ids: [office.id] }
  const { data: limited } = await (await session(bob)).call(api.createPersonalToken, {
    body: { name: 'limited', scopes: scopesOf('user'), limits },
  })
  const token = limited.access_token
  const inside: Person = { id: bob.id, token, ...createClient({ base_url: `${scene.url}/v1`, token }) }
  const den = await hideChat(scene, [bob])
  return [
    { role: 'multi_guest', token: mia, session: await session(mia), hidden, own: { bot: own.id } },
    { role: 'user', token: bob, session: await session(bob), hidden, own: { bot: own.id }, sees: ['user'] },
    {
      role: 'admin',
      token: admin,
      session: await session(admin),
      hidden,
      own: { bot: own.id },
      sees: ['user', 'refusal'],
    },
    { role: 'bot', token: bot, hidden, own: { bot: bot.id }, sees: ['user'] },
    {
      role: 'user',
      token: inside,
      hidden: { ...hidden, ...den },
      own: { bot: own.id },
      sees: ['user'],
      limited: true,
    },
  ]
}

test('every id in a path is of a kind that is tried here, or hides nothing', () => {
  const unknown = operations.flatMap((operation) =>
    namesIn(operation)
      .filter((name) => !kindsOf(operation)?.[name])
      .filter((name) => !WITHIN.has(`/${operation.path.split('/')[1]}/ ${name}`))
      .map((name) => `${operation.id} {${name}}`),
  )
  assert.deepEqual(unknown, [])
})

/** `PARLEY_TEXTS=all` tries every operation as every caller; a usual run tries each as one of them, by turns. */
const ALL = process.env.PARLEY_TEXTS === 'all'

test('what a caller may not see is refused like what does not exist, unless the contract tells them apart', async (t) => {
  const scene = await world(t)
  const callers = await callersOf(scene)
  const faults: string[] = []
  for (const [turn, operation] of operations.entries())
    for (const name of namesIn(operation)) {
      const kind = kindsOf(operation)?.[name]
      const blind = callers.filter(
        ({ role, sees }) =>
          kind && (operation.roles as readonly api.Role[]).includes(role) && !sees?.includes(kind),
      )
      for (const caller of ALL ? blind : blind.slice(turn % blind.length).slice(0, 1))
        faults.push(...(await compare(scene, caller, operation, name)))
    }
  assert.deepEqual(faults, [])
})
