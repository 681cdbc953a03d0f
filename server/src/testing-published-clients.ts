import type { TestContext } from 'node:test'
import {
  type BotCreateResponse,
  createBot,
  createChat,
  createGroupTag,
  createMessage,
  type FileType,
} from '@parley/contract'
import sharp from 'sharp'
import { upload } from './testing/upload.js'
import { type Person, type World, world } from './testing/world.js'

export type Json = Record<string, unknown>

interface Request {
  as: Person
  method: string
  path: string
  body?: unknown
  form?: URLSearchParams | FormData
}

export async function ask({ url }: World, { as, method, path, body, form }: Request) {
  const headers: Record<string, string> = { Authorization: `Bearer ${as.token}` }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  const sent = form ?? (body === undefined ? undefined : JSON.stringify(body))
  const answer = await fetch(`${url}/v1${path}`, { method, headers, body: sent })
  const text = await answer.text()
  const json = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: answer.status, text, json, ignored: answer.headers.get('parley-ignored') }
}

interface Scene extends World {
  message: { id: number }
  tag: { id: number }
  made: BotCreateResponse
  /** A bot's token without a single scope that is of use here. */
  bare: Person
  image: Json
}

export async function stage(t: TestContext): Promise<Scene> {
  const scene = await world(t)
  const { alice, admin, office } = scene
  const { data: message } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'hello' } },
  })
  await ask(scene, {
    as: alice,
    method: 'POST',
    path: `/messages/${message.id}/reactions`,
    body: { code: '👍' },
  })
  const { data: tag } = await admin.call(createGroupTag, { body: { group_tag: { name: 'Team' } } })
  const { data: made } = await alice.call(createBot, {
    body: { webhook: { name: 'Bare', scopes: ['messages:create'] } },
  })
  const bare = { ...scene.bot, token: (made as { access_token: string }).access_token }
  const key = await upload(alice, 'photo.png', 'no real picture')
  const image = { key, name: 'photo.png', file_type: 'image', size: 15 }
  return { ...scene, message, tag, made: made as BotCreateResponse, bare, image }
}

interface Case {
  line: string
  request(scene: Scene): Request | Promise<Request>
  status: number
  /** What `Parley-Ignored` names. */
  ignored?: string
}

const posting = (as: Person, entity_id: unknown, more: Json = {}): Request => ({
  as,
  method: 'POST',
  path: '/messages',
  body: { message: { entity_id, content: 'x', ...more } },
})

export const CASES: Case[] = [
  {
    line: 'F1 the length of a picture, 0',
    request: ({ alice, office, image }) =>
      posting(alice, office.id, { files: [{ ...image, duration_ms: 0 }] }),
    status: 201,
  },
  {
    line: 'F1 the length and waveform of a picture, of any type',
    request: ({ alice, office, image }) =>
      posting(alice, office.id, { files: [{ ...image, duration_ms: -5, waveform: 7 }] }),
    status: 201,
  },
  {
    line: 'F1 a video of no length is refused',
    request: ({ alice, office, image }) =>
      posting(alice, office.id, { files: [{ ...image, file_type: 'video', duration_ms: 0 }] }),
    status: 422,
  },
  {
    line: 'F2 an empty collection of files',
    request: ({ alice, office }) => posting(alice, office.id, { files: {} }),
    status: 201,
    ignored: 'files',
  },
  {
    line: 'F2 the same in an edit',
    request: ({ alice, message }) => ({
      as: alice,
      method: 'PUT',
      path: `/messages/${message.id}`,
      body: { message: { content: 'y', files: {} } },
    }),
    status: 200,
    ignored: 'files',
  },
  {
    line: 'F3 the code of a reaction in the body of a DELETE',
    request: ({ alice, message }) => ({
      as: alice,
      method: 'DELETE',
      path: `/messages/${message.id}/reactions`,
      body: { code: '👍' },
    }),
    status: 204,
    ignored: 'code',
  },
  {
    line: 'F4 an id as text',
    request: ({ alice, office }) => posting(alice, String(office.id)),
    status: 201,
    ignored: 'entity_id',
  },
  {
    line: 'F4 ids as text in a list, and a word for a boolean',
    request: ({ alice, bob }) => ({
      as: alice,
      method: 'POST',
      path: '/chats',
      body: { chat: { name: 'Words', member_ids: [String(bob.id)], public: 'true' } },
    }),
    status: 201,
    ignored: 'member_ids.0, public',
  },
  {
    line: 'F5 unset fields of a new bot',
    request: ({ alice }) => ({
      as: alice,
      method: 'POST',
      path: '/bots',
      body: { webhook: { name: 'Nulls', events: null, commands: null, scopes: null } },
    }),
    status: 201,
    ignored: 'events, commands, scopes',
  },
  {
    line: 'F5 unset fields of a bot that is changed',
    request: ({ alice, made }) => ({
      as: alice,
      method: 'PUT',
      path: `/bots/${made.id}`,
      body: { webhook: { name: 'Nulls', events: null, commands: null, scopes: null } },
    }),
    status: 200,
    ignored: 'events, commands, scopes',
  },
  {
    line: 'F5 unset fields of a message',
    request: ({ alice, office }) => posting(alice, office.id, { buttons: null, files: null }),
    status: 201,
    ignored: 'files, buttons',
  },
  {
    line: 'F5 unset fields of a person',
    request: ({ admin }) => ({
      as: admin,
      method: 'POST',
      path: '/users',
      body: {
        user: {
          email: 'new@example.org',
          last_name: null,
          phone_number: null,
          department: null,
          custom_properties: null,
        },
      },
    }),
    status: 201,
    ignored: 'last_name, phone_number, department, custom_properties',
  },
  {
    line: 'F5 unset tags of a chat',
    request: ({ alice }) => ({
      as: alice,
      method: 'POST',
      path: '/chats',
      body: { chat: { name: 'Nulls', group_tag_ids: null } },
    }),
    status: 201,
    ignored: 'group_tag_ids',
  },
  {
    line: 'F5 a file as it was returned',
    async request({ alice, office, image }) {
      const files = [{ ...image, file_type: 'image' as FileType }] as never
      const body = { message: { entity_id: office.id, content: 'x', files } }
      const { data } = await alice.call(createMessage, { body })
      const path = `/messages/${data.id}`
      return { as: alice, method: 'PUT', path, body: { message: { content: 'y', files: data.files } } }
    },
    status: 200,
    ignored:
      'files.0.id, files.0.url, files.0.measured_width, files.0.measured_height, files.0.width, files.0.height',
  },
  {
    line: 'F7 webhook inside bot',
    request: ({ alice, made }) => ({
      as: alice,
      method: 'PUT',
      path: `/bots/${made.id}`,
      body: { bot: { webhook: { outgoing_url: '' } } },
    }),
    status: 200,
    ignored: 'bot',
  },
  {
    line: 'F10 a new tag without its wrapper',
    request: ({ admin }) => ({ as: admin, method: 'POST', path: '/group_tags', body: { name: 'Bare' } }),
    status: 201,
    ignored: 'group_tag',
  },
  {
    line: 'F10 a renamed tag without its wrapper',
    request: ({ admin, tag }) => ({
      as: admin,
      method: 'PUT',
      path: `/group_tags/${tag.id}`,
      body: { name: 'Renamed' },
    }),
    status: 200,
    ignored: 'group_tag',
  },
  {
    line: 'F10 a role in the query',
    request: ({ alice, bob, office }) => ({
      as: alice,
      method: 'PUT',
      path: `/chats/${office.id}/members/${bob.id}?role=admin`,
    }),
    status: 204,
    ignored: 'role',
  },
  {
    line: 'F10 tags of a chat with PUT',
    request: ({ admin, tag }) => putTags(admin, tag),
    status: 204,
  },
  {
    line: 'F11 own picture with POST',
    request: async ({ alice }) => ({
      as: alice,
      method: 'POST',
      path: '/profile/avatar',
      form: await picture(),
    }),
    status: 200,
  },
  {
    line: 'F11 the picture of somebody with POST',
    request: async ({ admin, bob }) => ({
      as: admin,
      method: 'POST',
      path: `/users/${bob.id}/avatar`,
      form: await picture(),
    }),
    status: 200,
  },
  {
    line: 'F12 a message as a form',
    request: ({ alice, office }) => ({
      as: alice,
      method: 'POST',
      path: '/messages',
      form: new URLSearchParams({
        'message[entity_id]': String(office.id),
        'message[content]': 'from a form',
        link_preview: 'true',
      }),
    }),
    status: 201,
  },
  {
    line: 'F12 a message with a file as multipart',
    request({ alice, office, image }) {
      const form = new FormData()
      form.set('message[entity_id]', String(office.id))
      for (const [name, value] of Object.entries(image)) form.set(`message[files][][${name}]`, String(value))
      return { as: alice, method: 'POST', path: '/messages', form }
    },
    status: 201,
  },
  {
    line: 'F13 an answer to message 0',
    request: ({ alice, office }) => posting(alice, office.id, { parent_message_id: 0 }),
    status: 201,
    ignored: 'parent_message_id',
  },
  {
    line: 'F14 the name of an enumeration in lower case',
    request: ({ alice }) => ({ as: alice, method: 'GET', path: '/custom_properties?entity_type=user' }),
    status: 200,
  },
  {
    line: 'F14 the same in a body',
    request: ({ alice, office }) => posting(alice, office.id, { entity_type: 'DISCUSSION' }),
    status: 201,
    ignored: 'entity_type',
  },
  {
    line: 'F15 the profile of a bot whose token has not that scope',
    request: ({ bare }) => ({ as: bare, method: 'GET', path: '/profile' }),
    status: 200,
  },
  {
    line: 'F16 a slash at the end',
    request: ({ alice }) => ({ as: alice, method: 'GET', path: '/users/?limit=1' }),
    status: 200,
  },
  {
    line: '64 a size that is not that of the file',
    request: ({ alice, office, image }) => posting(alice, office.id, { files: [{ ...image, size: 1 }] }),
    status: 201,
    ignored: 'files.0.size',
  },
  {
    line: '56 anything else of a wrong type',
    request: ({ alice, office }) => posting(alice, office.id, { content: 5 }),
    status: 422,
  },
  {
    line: '56 a fraction in quotes is no integer',
    request: ({ alice }) => posting(alice, '1.5'),
    status: 422,
  },
  {
    line: '57 a missing wrapper elsewhere',
    request: ({ alice, office }) => ({
      as: alice,
      method: 'POST',
      path: '/messages',
      body: { entity_id: office.id, content: 'x' },
    }),
    status: 400,
    ignored: 'entity_id, content',
  },
]

async function putTags(as: Person, tag: { id: number }): Promise<Request> {
  const { data: chat } = await as.call(createChat, { body: { chat: { name: 'Tagged' } } })
  return { as, method: 'PUT', path: `/chats/${chat.id}/group_tags`, body: { group_tag_ids: [tag.id] } }
}

async function picture(): Promise<FormData> {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  const form = new FormData()
  form.set('image', new Blob([new Uint8Array(await image.png().toBuffer())]), 'me.png')
  return form
}
