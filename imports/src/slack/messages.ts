import { cut } from '../cut.js'
import { asIds, asObject, asObjects, asText, filled, type JsonObject } from '../json.js'
import { placeholderOf } from '../people.js'
import { pictureUrl } from '../picture-url.js'
import {
  type ImportRecord,
  isWithin,
  type MessageRecord,
  type ReadOptions,
  type Remark,
  remark,
} from '../records.js'
import { readAttachments } from '../text/attachments.js'
import { emojiOfShortName } from '../text/emoji.js'
import { inItalics, isBlank, type RichText } from '../text/rich-text.js'
import { readBlocks } from './blocks.js'
import { externalLink, type FindBytes, filesOf, readFile } from './files.js'
import { huddleText, isHuddle, starterOf } from './huddle.js'
import { botOf, type Directory, SLACKBOT } from './people.js'
import { treatmentOf } from './subtypes.js'
import { readSlackText } from './text.js'
import { timeOfTs } from './times.js'
import { cleanText } from './tokens.js'

export interface Reading {
  directory: Directory
  options: ReadOptions
  findBytes: FindBytes
  /** Files that were written already: one file may be shared in many messages. */
  files: Set<string>
}

export const messageId = (chat: string, ts: string) => `${chat}:${ts}`

/** Reads one entry of a day: the message, and what hangs on it. */
export function* readMessage(
  reading: Reading,
  chatId: string,
  entry: JsonObject,
): Iterable<ImportRecord | Remark> {
  const ts = filled(entry.ts)
  const at = ts ? timeOfTs(ts) : null
  if (!ts || at === null) return yield remark('skipped', 'message', 'has no time', chatId)
  const id = messageId(chatId, ts)
  if (!isWithin(at, reading.options))
    return yield remark('skipped', 'message', 'is outside the asked time', id)
  const text = cleanText(readText(entry))
  const subtype = filled(entry.subtype)
  const says = !isBlank(text) || filesOf(entry).length > 0
  const treatment = treatmentOf(subtype, says)
  if (treatment === 'skip') return yield remark('skipped', 'message', `is of the kind ${subtype}`, id)
  if (treatment === 'system' && reading.options.system_messages === 'skip')
    return yield remark('skipped', 'message', 'is a system message', id)
  if (treatment === 'message' && !says) return yield remark('skipped', 'message', 'says nothing', id)

  const { author, record } = authorOf(reading.directory, entry)
  if (record) yield record
  const files = treatment === 'message' ? yield* readFiles(reading, entry) : []
  const message = messageOf(entry, { id, chatId, ts, at, author, text, files, treatment })
  yield message
  if (subtype === 'thread_broadcast' && message.thread_of)
    yield { ...message, id: `${id}:broadcast`, thread_of: null, forward_of: id }
  if (treatment === 'message') yield* readReactions(reading.directory, entry, id, at)
}

/** Rich text, where there is one, says it all; blocks of bots take precedence over their fallback text. */
function readText(entry: JsonObject): RichText {
  const plain = asText(entry.text) ?? ''
  const comment = asText(asObject(entry.comment).comment)
  if (comment && entry.subtype === 'file_comment') return readSlackText(comment)
  if (isHuddle(entry)) return huddleText(entry)
  const blocks = readBlocks(entry.blocks)
  const text = isBlank(blocks) ? readSlackText(plain) : blocks
  const marked = entry.subtype === 'me_message' ? inItalics(text) : text
  const links = filesOf(entry).flatMap(externalLink)
  const lines = isBlank(marked) ? [] : marked
  return [
    ...lines,
    ...readAttachments(entry.attachments, plain, { text: readSlackText, blocks: readBlocks }),
    ...links,
  ]
}

/** Who wrote it. Ids that nobody has become a placeholder or a bot, named as the entry names them. */
function authorOf(directory: Directory, entry: JsonObject): { author: string; record?: ImportRecord } {
  const { people, bots, botUsers } = directory
  const user = userOf(entry)
  const bot = filled(entry.bot_id)
  if (bot) {
    const known = botUsers.get(bot) ?? bot
    if (bots.has(known)) return { author: known }
    const name = filled(asObject(entry.bot_profile).name) ?? filled(entry.username)
    const record = botOf(known, name)
    bots.set(known, record)
    return { author: known, record }
  }
  const id = user ?? 'unknown'
  if (people.has(id) || bots.has(id)) return { author: id }
  if (id === SLACKBOT) {
    const record = botOf(id, 'Slackbot')
    bots.set(id, record)
    return { author: id, record }
  }
  const profile = asObject(entry.user_profile)
  const name = filled(profile.real_name) ?? filled(profile.display_name) ?? filled(entry.username)
  const record = placeholderOf(id, name)
  people.set(id, record)
  return { author: id, record }
}

function userOf(entry: JsonObject): string | null {
  if (entry.subtype === 'file_comment') return filled(asObject(entry.comment).user)
  return (isHuddle(entry) ? starterOf(entry) : null) ?? filled(entry.user)
}

/** The message that an entry shows again without a word of its own. */
function sharedBy(entry: JsonObject): string | null {
  const [shared, ...more] = asObjects(entry.attachments)
  if (!shared?.is_share || more.length > 0 || filled(entry.text)?.trim()) return null
  const [chat, ts] = [filled(shared.channel_id), filled(shared.ts)]
  return chat && ts ? messageId(chat, ts) : null
}

interface Parts {
  id: string
  chatId: string
  ts: string
  at: number
  author: string
  text: RichText
  files: string[]
  treatment: 'message' | 'system' | 'removed'
}

function messageOf(entry: JsonObject, parts: Parts): MessageRecord {
  const { id, chatId, ts, at, author, text, files, treatment } = parts
  const root = filled(entry.thread_ts)
  const edited = filled(asObject(entry.edited).ts)
  const bot = Boolean(filled(entry.bot_id))
  const removed = treatment === 'removed'
  return {
    kind: 'message',
    id,
    chat_id: chatId,
    thread_of: root && root !== ts ? messageId(chatId, root) : null,
    author_id: author,
    at,
    edited_at: edited ? timeOfTs(edited) : null,
    text: removed ? [] : text,
    files,
    display_name: bot ? cut(filled(entry.username) ?? '', 255) || null : null,
    display_avatar_url: bot ? pictureOf(asObject(entry.icons)) : null,
    system: treatment === 'system',
    deleted: removed,
    forward_of: sharedBy(entry),
  }
}

function pictureOf(icons: JsonObject): string | null {
  return pictureUrl(filled(icons.image_72) ?? filled(icons.image_64) ?? filled(icons.image_48))
}

function* readFiles(reading: Reading, entry: JsonObject): Generator<ImportRecord | Remark, string[]> {
  const ids: string[] = []
  if (reading.options.without_files) return ids
  for (const file of filesOf(entry)) {
    const id = filled(file.id)
    if (!id || file.mode === 'external') continue
    ids.push(id)
    if (reading.files.has(id)) continue
    reading.files.add(id)
    yield readFile(file, id, reading.findBytes)
  }
  return ids
}

function* readReactions(
  directory: Directory,
  entry: JsonObject,
  message_id: string,
  at: number,
): Iterable<ImportRecord | Remark> {
  for (const reaction of asObjects(entry.reactions)) {
    const name = asText(reaction.name) ?? ''
    const emoji = emojiOfShortName(name) ?? `:${name.split('::')[0]}:`
    const users = asIds(reaction.users)
    for (const person_id of users) {
      const known = directory.people.has(person_id) || directory.bots.has(person_id)
      if (known) yield { kind: 'reaction', message_id, person_id, emoji, at }
      else yield remark('skipped', 'reaction', 'is by somebody unknown', message_id)
    }
    const missing = Number(reaction.count) - users.length
    if (missing > 0) yield remark('lost', 'reaction', 'is counted but not named', message_id)
  }
}
