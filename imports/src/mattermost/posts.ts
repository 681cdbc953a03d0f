import { createHash } from 'node:crypto'
import { cut } from '../cut.js'
import { cleanName } from '../file-name.js'
import { asObject, asObjects, asText, filled, type JsonObject } from '../json.js'
import { placeholderOf } from '../people.js'
import { pictureUrl } from '../picture-url.js'
import {
  type FileRecord,
  type ImportRecord,
  isWithin,
  type MessageRecord,
  type ReadOptions,
  type Remark,
  remark,
} from '../records.js'
import { readAttachments } from '../text/attachments.js'
import { emojiOf } from '../text/emoji.js'
import { type MarkdownNames, readMarkdown } from '../text/markdown.js'
import { inItalics, isBlank, plain, type RichText } from '../text/rich-text.js'
import { timeOf } from './chats.js'
import { WEBHOOKS } from './people.js'

export interface Reading {
  options: ReadOptions
  people: Set<string>
  bots: Set<string>
  /** Names of channels, for `~name`. */
  channels: Map<string, string>
  files: Set<string>
  findBytes(path: string): string | null
  sizeOf(entry: string): number | null
  webhooks: boolean
  /** The time of the last post that was read in each chat. */
  times: Map<string, number>
}

function namesIn(reading: Reading, team: string): MarkdownNames {
  return {
    mention(name) {
      if (name === 'all' || name === 'channel') return { type: 'everyone' }
      if (name === 'here') return { type: 'present' }
      return reading.people.has(name) || reading.bots.has(name)
        ? { type: 'person', id: name, label: name }
        : null
    },
    text(text) {
      const parts = text.split(/~([a-z0-9][a-z0-9_-]*)/g)
      return parts.flatMap((part, index) => {
        const id = index % 2 === 1 ? `${team}/${part}` : null
        if (id && reading.channels.has(id)) return { type: 'chat' as const, id, label: part }
        const typed = id ? `~${part}` : part
        return typed === '' ? [] : plain(typed)
      })
    },
  }
}

/**
 * There are no ids: a post is known by its chat, author and time, and that of a bot by its text too. The importer tells apart
 * people's posts of one millisecond, which are rare: with the text in every id, an edited post would come in twice.
 */
function idOf(chat: string, user: string, at: number, text: string, byText: boolean): string {
  const base = `${chat}|${user}|${at}`
  return byText ? `${base}|${createHash('sha1').update(text).digest('hex').slice(0, 12)}` : base
}

const CALLED_SYSTEM = /^system_/

/** Reads a post with its replies. */
export function* readPost(
  reading: Reading,
  chatId: string,
  team: string,
  post: JsonObject,
  root: string | null = null,
): Iterable<ImportRecord | Remark> {
  const user = filled(post.user)
  const told = timeOf(post.create_at)
  const at = told ?? reading.times.get(chatId) ?? null
  if (!user || at === null)
    return yield remark('skipped', 'message', user ? 'has no time' : 'has no author', chatId)
  reading.times.set(chatId, at)
  if (told === null)
    yield remark('warning', 'message', 'has no time, and takes that of the message before it', chatId)
  const { options } = reading
  const message = asText(post.message) ?? ''
  const author = yield* authorOf(reading, post, user)
  // Bots write twice in a millisecond.
  const id = idOf(chatId, author, at, message, reading.bots.has(author) || told === null)
  const type = asText(post.type) ?? ''
  const system = CALLED_SYSTEM.test(type)
  if (!isWithin(at, options)) yield remark('skipped', 'message', 'is outside the asked time', id)
  else if (type === 'burn_on_read') yield remark('skipped', 'message', 'is of the kind burn_on_read', id)
  else if (system && options.system_messages === 'skip')
    yield remark('skipped', 'message', 'is a system message', id)
  else yield* readOne(reading, { chatId, team, post, root, id, at, author, message, type, system })
  for (const reply of asObjects(post.replies)) yield* readPost(reading, chatId, team, reply, root ?? id)
}

interface One {
  chatId: string
  team: string
  post: JsonObject
  root: string | null
  id: string
  at: number
  author: string
  message: string
  type: string
  system: boolean
}

function* readOne(reading: Reading, one: One): Iterable<ImportRecord | Remark> {
  const { chatId, post, root, id, at, author, system } = one
  const text = textOf(reading, one)
  const files = reading.options.without_files ? [] : yield* readFiles(reading, post, author, at)
  if (isBlank(text) && files.length === 0) return yield remark('skipped', 'message', 'says nothing', id)
  const props = propsOf(post)
  const poses = author === WEBHOOKS.id || reading.bots.has(author)
  const record: MessageRecord = {
    kind: 'message',
    id,
    chat_id: chatId,
    thread_of: root,
    author_id: author,
    at,
    edited_at: timeOf(post.edit_at),
    text,
    files,
    display_name: poses ? cut(filled(props.override_username) ?? '', 255) || null : null,
    display_avatar_url:
      poses && String(props.use_user_icon) !== 'true' ? pictureUrl(props.override_icon_url) : null,
    system,
    deleted: false,
    forward_of: null,
  }
  yield record
  for (const reaction of asObjects(post.reactions)) {
    const person_id = filled(reaction.user)
    const name = asText(reaction.emoji_name) ?? ''
    if (!person_id || !(reading.people.has(person_id) || reading.bots.has(person_id)))
      yield remark('skipped', 'reaction', 'is by somebody unknown', id)
    else
      yield {
        kind: 'reaction',
        message_id: id,
        person_id,
        emoji: emojiOf(name) ?? `:${name}:`,
        at: timeOf(reaction.create_at) ?? at,
      }
  }
  if (post.is_pinned === true)
    yield { kind: 'pin', message_id: id, chat_id: chatId, person_id: null, at: null }
  yield* readFollowers(post, root, id)
}

/** A post without replies has followers as well: there is no thread that they could follow. */
function* readFollowers(post: JsonObject, root: string | null, id: string): Iterable<ImportRecord> {
  if (root !== null || asObjects(post.replies).length === 0) return
  for (const { user } of asObjects(post.thread_followers)) {
    const person_id = filled(user)
    if (person_id) yield { kind: 'thread_follower', message_id: id, person_id }
  }
}

/** Properties are an object, or an object written as text. */
function propsOf(post: JsonObject): JsonObject {
  if (typeof post.props !== 'string') return asObject(post.props)
  try {
    return asObject(JSON.parse(post.props))
  } catch {
    return {}
  }
}

function textOf(reading: Reading, { team, post, message, type }: One): RichText {
  const read = (source: string) => readMarkdown(source, namesIn(reading, team))
  const said = message === '' ? [] : read(message)
  const marked = type === 'me' ? inItalics(said) : said
  const below = readAttachments(propsOf(post).attachments, message, { text: read, blocks: () => [] })
  return [...marked, ...below]
}

/** The author of a webhook's post is no person. Those whom nothing describes become placeholders. */
function* authorOf(reading: Reading, post: JsonObject, user: string): Generator<ImportRecord, string> {
  const props = propsOf(post)
  if (String(props.from_webhook) === 'true' && !reading.bots.has(user)) {
    if (!reading.webhooks) {
      reading.webhooks = true
      yield WEBHOOKS
    }
    return WEBHOOKS.id
  }
  if (!reading.people.has(user) && !reading.bots.has(user)) {
    reading.people.add(user)
    yield placeholderOf(user, user)
  }
  return user
}

function* readFiles(
  reading: Reading,
  post: JsonObject,
  owner_id: string,
  at: number,
): Generator<ImportRecord, string[]> {
  const ids: string[] = []
  for (const { path } of asObjects(post.attachments)) {
    const id = filled(path)
    if (!id) continue
    ids.push(id)
    if (reading.files.has(id)) continue
    reading.files.add(id)
    yield fileOf(reading, id, owner_id, at)
  }
  return ids
}

function fileOf(reading: Reading, id: string, owner_id: string, at: number): FileRecord {
  const path = reading.findBytes(id)
  return {
    kind: 'file',
    id,
    name: cleanName(id),
    media_type: null,
    size: path ? reading.sizeOf(path) : null,
    owner_id,
    created_at: at,
    path,
    missing: path ? null : 'is not in the archive',
  }
}
