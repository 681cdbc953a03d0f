import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { auditHash } from './audit-hash.js'
import type { Manifest } from './manifest.js'
import { PortableWriter } from './write.js'

const AT = '2026-01-02T03:04:05.678901Z'

export const manifestOf = (): Manifest => ({
  format: 'parley-workspace',
  version: { major: 1, minor: 0 },
  workspace: { id: 'w1', name: 'Acme', owner_id: 1 },
  made_at: AT,
  server: 'parley 0.1.0',
  ids_up_to: {
    people: 10,
    tags: 10,
    properties: 10,
    files: 10,
    chats: 10,
    messages: 10,
    threads: 10,
    drafts: 10,
    tasks: 10,
    dlp_rules: 10,
  },
  options: {
    without_files: false,
    without_audit: false,
    without_personal_chats: false,
    with_addresses: false,
    since: null,
  },
})

export const message = (id: number, content: string) => ({
  id,
  chat_id: 1,
  root_chat_id: 1,
  author_id: 1,
  content,
  parent_id: null,
  buttons: null,
  display_name: null,
  display_avatar_url: null,
  forwarding: null,
  system: false,
  system_event: null,
  files: [],
  mentions: [],
  previews: [],
  created_at: AT,
  changed_at: AT,
  deleted_at: null,
})

function auditLines(count: number): object[] {
  let previous: Buffer = Buffer.alloc(0)
  return Array.from({ length: count }, (_, index) => {
    const row = {
      id: `00000000-0000-7000-8000-00000000000${index}`,
      sequence: index + 1,
      event_key: 'user_created',
      actor_id: 1,
      entity_type: 'User',
      entity_id: String(index),
      ip_address: null,
      user_agent: null,
    }
    const position = index + 1
    const previous_hash = previous.toString('hex')
    previous = auditHash(previous, position, { ...row, created_at_text: AT, details_text: '{}' })
    const hash = previous.toString('hex')
    return { ...row, position, created_at: AT, details: '{}', previous_hash, hash }
  })
}

async function* each(values: readonly object[]) {
  yield* values
}

/** A small file with lines, a file and an audit log. */
export async function beginPortable(path: string, manifest: object = manifestOf()): Promise<PortableWriter> {
  const writer = await PortableWriter.create(path, manifest as Manifest)
  await writer.lines('tags.jsonl', [{ id: 1, name: 'sales', created_at: AT }])
  await writer.series('messages', each([message(1, 'hello'), message(2, 'wörld')]))
  await writer.series('audit', each(auditLines(2)))
  const bytes = Buffer.from('some bytes')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  await writer.file(sha256, async () => Readable.from([bytes]))
  return writer
}

const person = (id: number, more: object) => ({
  id,
  nickname: `person${id}`,
  email: null,
  first_name: null,
  last_name: null,
  phone_number: null,
  department: null,
  title: null,
  role: 'user',
  suspended: false,
  invite_status: 'confirmed',
  inviter_id: null,
  sso: false,
  time_zone: null,
  picture: null,
  status: null,
  preferences: null,
  created_at: AT,
  last_activity_at: null,
  deleted_at: null,
  ...more,
})

const chat = (id: number, type: string) => ({
  id,
  type,
  name: 'chat',
  description: null,
  public: false,
  owner_id: 1,
  people: null,
  tag_ids: [],
  archived_at: null,
  created_at: AT,
  last_message_at: AT,
})

/** A file whose sums are right and whose lines are not: what no server would have written. */
export async function hostileFile(path: string) {
  const writer = await PortableWriter.create(path, manifestOf())
  const thread = { message_id: null, parent_chat_id: 1, creator_id: 1, created_at: AT, updated_at: AT }
  await writer.lines('people.jsonl', [
    person(2, { nickname: 'twin', email: 'twin@example.org', role: 'owner' }),
    person(3, { nickname: 'TWIN', email: 'Twin@example.org' }),
    person(11, {}),
  ])
  await writer.lines('chats.jsonl', [chat(1, 'conversation'), chat(2, 'thread')])
  const messages = [
    { ...message(1, 'fine'), author_id: 2 },
    { ...message(2, 'by nobody'), author_id: 9 },
  ]
  const lost = { ...message(3, 'nowhere'), chat_id: 9, root_chat_id: 9 }
  await writer.series('messages', each([...messages, lost, { ...message(1, 'again'), author_id: 2 }]))
  await writer.lines('threads.jsonl', [
    { id: 1, chat_id: 2, ...thread },
    { id: 2, chat_id: 2, ...thread },
  ])
  const draft = { id: 1, person_id: 2, chat_id: 1, to_person_id: null, content: 'x', parent_id: null }
  const plan = {
    interval: 'daily',
    start_date: null,
    end_date: null,
    days: null,
    nth_day: null,
    next_send_at: null,
  }
  const times = { due_at: AT, failures: 0, utc_offset: 0, time_zone: null, created_at: AT, updated_at: AT }
  await writer.lines('drafts.jsonl', [{ ...draft, ...plan, ...times }])
  const key = { source: 'portable', source_workspace: 'w1', kind: 'message', source_id: '7', id: 1 }
  await writer.lines('import_keys.jsonl', [key])
  await writer.finish(null)
}
