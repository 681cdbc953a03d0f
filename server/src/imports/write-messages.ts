import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type FileRecord,
  type MessageRecord,
  type Names,
  type Remark,
  remark,
  renderText,
} from '@parley/imports'
import {
  advanceImportedChats,
  type ChatAdvance,
  listThreadParents,
  lockCounts,
  updateThreadRoots,
} from '../chats/import-queries.js'
import { FILES_AT_MOST } from '../files/check-files.js'
import { type ImportedFile, insertImportedFiles } from '../files/import-queries.js'
import {
  type ImportedMessage,
  insertImportedMessages,
  listMessagePlaces,
  takeMessageIds,
} from '../messages/import-queries.js'
import type { Tx } from '../platform/db/index.js'
import { attachLate, fileTypeOf, findLate, lineOfMissing } from './late-files.js'
import { tellLate } from './late-messages.js'
import { newsOf } from './learn-words.js'
import { findObjects, type StoredObject } from './object-queries.js'
import { findKeys, findRecords, insertKeys, type RecordRow } from './queries.js'
import { rewriteLinks } from './rewrite-links.js'
import { type Outcome, outcome, type Phase, type Run, timeOf } from './run-state.js'

type Row = RecordRow<MessageRecord>

/** One message to be written: a record that is long or has many files makes several. */
interface Piece {
  row: Row
  first: boolean
  chat_id: number
  root_chat_id: number
  user_id: number
  content: string
  files: StoredObject[]
  answers: Target | null
}

/** A message that may be answered. Its id is taken with those of its batch. */
interface Target {
  id: number
  chat_id: number
}

interface Lookups {
  threads: Map<string, number>
  /** The chat of each thread. */
  parents: Map<number, number>
  targets: Map<string, Target>
  objects: Map<string, StoredObject>
  /** Files without an object. */
  missing: Map<string, FileRecord>
}

async function lookUp(tx: Tx, run: Run, rows: readonly Row[]): Promise<Lookups> {
  const roots = rows.flatMap(({ body, source_id }) => [body.thread_of ?? [], source_id].flat())
  const files = [...new Set(rows.flatMap(({ body }) => body.files))]
  const objects = await findObjects(tx, run.row, files)
  const threads = await findKeys(tx, run.row, 'thread', [...new Set(roots)])
  return {
    threads,
    parents: await listThreadParents(tx, [...new Set(threads.values())]),
    targets: await findTargets(tx, run, rows),
    objects,
    missing: await findRecords<FileRecord>(
      tx,
      'file',
      files.filter((id) => !objects.has(id)),
    ),
  }
}

/** Messages of earlier batches that these answer. */
async function findTargets(tx: Tx, run: Run, rows: readonly Row[]): Promise<Map<string, Target>> {
  const wanted = new Set(rows.flatMap(({ body }) => body.reply_to?.id ?? []))
  if (wanted.size === 0) return new Map()
  const keys = await findKeys(tx, run.row, 'message', [...wanted])
  const places = await listMessagePlaces(tx, [...keys.values()])
  return new Map(
    [...keys].flatMap(([source_id, id]) => {
      const place = places.get(id)
      return place && !place.deleted ? [[source_id, { id, chat_id: place.chat_id }] as const] : []
    }),
  )
}

/** The message that this one answers: in the same chat or thread, or it is quoted. */
function answeredBy({ body }: Row, chatId: number, { targets }: Lookups): Target | null {
  const target = targets.get(body.reply_to?.id ?? '')
  return target?.chat_id === chatId ? target : null
}

function namesOf(run: Run): Names {
  return {
    person(id) {
      const person = run.people.get(id)
      // The nickname of somebody who is gone may be another's tomorrow.
      return person?.former ? { text: person.name } : person && { nickname: person.nickname }
    },
    chat: (id) => run.chats.get(id)?.name || undefined,
    tag: (id) => run.tags.get(id),
  }
}

/** Files that could not be had are named in the text, so that readers know that there was one. */
function missingFiles({ body }: Row, { objects, missing }: Lookups) {
  return body.files.filter((id) => !objects.has(id)).flatMap((id) => lineOfMissing(id, missing.get(id)))
}

type Rendered = ReturnType<typeof renderText>
/** Texts by the place of their records. */
type Texts = ReadonlyMap<number, Rendered>

/** So long the event loop is busy at once while texts are rendered: the statements of the batch before go on in between. */
const SLICE_MS = 1

/** Renders the texts that need nothing from the database. */
async function renderTexts(run: Run, rows: readonly Row[]): Promise<Texts> {
  const names = namesOf(run)
  const texts = new Map<number, Rendered>()
  let began = performance.now()
  for (const { seq, body } of rows) {
    if (body.files.length > 0 || body.reply_to) continue
    texts.set(seq, renderText(body.text, names))
    if (performance.now() - began < SLICE_MS) continue
    await nextTurn()
    began = performance.now()
  }
  return texts
}

function textOf(run: Run, row: Row, lookups: Lookups, answers: Target | null): Rendered {
  const quote = answers ? [] : (row.body.reply_to?.otherwise ?? [])
  return renderText([...quote, ...row.body.text, ...missingFiles(row, lookups)], namesOf(run))
}

function piecesOf(run: Run, row: Row, texts: Texts, lookups: Lookups, remarks: Remark[]): Piece[] | string {
  const { threads, objects } = lookups
  const { body } = row
  const chat = run.chats.get(body.chat_id)
  const author = run.people.get(body.author_id)
  if (!chat) return 'is in a chat that was skipped'
  if (!author) return 'is by nobody known'
  const found = threads.get(body.thread_of ?? '')
  const thread = found !== undefined && lookups.parents.get(found) === chat.id ? found : undefined
  if (body.thread_of !== null && thread === undefined)
    remarks.push(
      remark('warning', 'message', 'replies to a message that is missing, and stands in the chat', body.id),
    )
  const chat_id = thread ?? chat.id
  const answers = answeredBy(row, chat_id, lookups)
  const text = texts.get(row.seq) ?? textOf(run, row, lookups, answers)
  if (text.flattened > 0) remarks.push(remark('lost', 'message', 'has marks that cannot be written', body.id))
  if (text.parts.length > 1)
    remarks.push(remark('warning', 'message', 'is too long and goes on in further messages', body.id))
  const files = body.files.flatMap((id) => objects.get(id) ?? [])
  if (files.length > FILES_AT_MOST)
    remarks.push(remark('warning', 'message', 'has over 10 files and goes on in further messages', body.id))
  const count = Math.max(1, text.parts.length, Math.ceil(files.length / FILES_AT_MOST))
  return Array.from({ length: count }, (_, index) => ({
    row,
    first: index === 0,
    chat_id,
    root_chat_id: chat.id,
    user_id: author.id,
    content: body.deleted ? '' : (text.parts[index] ?? ''),
    files: files.slice(index * FILES_AT_MOST, (index + 1) * FILES_AT_MOST),
    answers: index === 0 ? answers : null,
  }))
}

function filesOf(pieces: readonly Piece[], ids: readonly number[]): ImportedFile[] {
  return pieces.flatMap(({ files, row, user_id }, index) =>
    files.map((object, position) => ({
      owner_id: user_id,
      key: object.key,
      name: object.name,
      file_type: fileTypeOf(object),
      size: object.size,
      width: object.width,
      height: object.height,
      message_id: ids[index] as number,
      position,
      created_at: timeOf(row.at),
    })),
  )
}

/** Gives messages their ids and numbers, and returns the counters of each chat after them. */
function numberPieces(pieces: readonly Piece[], ids: readonly number[], counts: Map<number, number>) {
  const chats = new Map<number, ChatAdvance>()
  const messages = pieces.map((piece, index): ImportedMessage => {
    const { body, at } = piece.row
    const id = ids[index] as number
    const before = chats.get(piece.chat_id)
    const count = (before?.messages_count ?? counts.get(piece.chat_id) ?? 0) + (body.system ? 0 : 1)
    const shown = body.deleted ? (before?.last_message_id ?? null) : id
    const created_at = timeOf(at)
    chats.set(piece.chat_id, {
      id: piece.chat_id,
      messages_count: count,
      last_message_id: shown,
      last_message_at: created_at,
    })
    return {
      id,
      chat_id: piece.chat_id,
      root_chat_id: piece.root_chat_id,
      user_id: piece.user_id,
      content: piece.content,
      parent_message_id: piece.answers?.id ?? null,
      display_name: body.display_name,
      display_avatar_url: body.display_avatar_url,
      forwarding: null,
      system: body.system,
      has_files: piece.files.length > 0,
      number: body.system ? null : count,
      created_at,
      changed_at: body.edited_at === null ? created_at : timeOf(body.edited_at),
      deleted_at: body.deleted ? created_at : null,
    }
  })
  return { messages, chats: [...chats.values()] }
}

/** Names where a message that is shown again was first said. */
async function nameOrigins(tx: Tx, run: Run, pieces: readonly Piece[], messages: ImportedMessage[]) {
  const own = new Map(
    pieces.flatMap(({ row, first }, index) =>
      first ? [[row.source_id, messages[index] as ImportedMessage] as const] : [],
    ),
  )
  const wanted = pieces.flatMap(({ row }, index) =>
    row.body.forward_of === null
      ? []
      : [{ of: row.body.forward_of, message: messages[index] as ImportedMessage }],
  )
  if (wanted.length === 0) return
  const elsewhere = await findKeys(
    tx,
    run.row,
    'message',
    wanted.map(({ of }) => of),
  )
  const places = await listMessagePlaces(tx, [...elsewhere.values()])
  for (const { of, message } of wanted) {
    const origin = own.get(of) ?? places.get(elsewhere.get(of) ?? 0)
    if (!origin) continue
    message.forwarding = {
      original_message_id: origin.id,
      original_chat_id: origin.chat_id,
      author_id: origin.user_id,
      original_created_at: new Date(origin.created_at).toISOString(),
      original_thread_id: null,
      original_thread_message_id: null,
      original_thread_parent_chat_id: null,
    }
  }
}

/** The messages of a batch in order, so that an answer finds what it answers among those before it. */
function piecesOfAll(
  run: Run,
  rows: readonly Row[],
  texts: Texts,
  lookups: Lookups,
  { skipped, remarks }: Outcome,
) {
  const targets = new Map<Row, Target>()
  const pieces = rows.flatMap((row) => {
    const made = piecesOf(run, row, texts, lookups, remarks)
    if (typeof made === 'string') {
      skipped.push(remark('skipped', 'message', made, row.source_id))
      return []
    }
    if (!row.body.deleted) {
      const target = { id: 0, chat_id: (made[0] as Piece).chat_id }
      targets.set(row, target)
      lookups.targets.set(row.source_id, target)
    }
    return made
  })
  return { pieces, targets }
}

const writtenOf = (pieces: readonly Piece[], messages: readonly ImportedMessage[]) =>
  pieces.map(({ row, first }, index) => ({
    source_id: row.source_id,
    first,
    message: messages[index] as ImportedMessage,
  }))

async function writeMessages(tx: Tx, run: Run, rows: readonly Row[], texts: Texts): Promise<Outcome> {
  const result = outcome()
  const before = await findKeys(
    tx,
    run.row,
    'message',
    rows.map(({ source_id }) => source_id),
  )
  result.merged = before.size
  const late = await findLate(tx, run, rows, before)
  const fresh = rows.filter(({ source_id }) => !before.has(source_id))
  const lookups = await lookUp(tx, run, fresh)
  const { pieces, targets } = piecesOfAll(run, fresh, texts, lookups, result)
  const chatIds = new Set([...pieces.map(({ chat_id }) => chat_id), ...late.chat_ids])
  const counts = await lockCounts(tx, [...chatIds])
  await attachLate(tx, late)
  await tellLate(tx, pieces, result.remarks)
  const ids = await takeMessageIds(tx, pieces.length)
  for (const [index, { row, first }] of pieces.entries()) {
    const target = first ? targets.get(row) : undefined
    if (target) target.id = ids[index] as number
  }
  const { messages, chats } = numberPieces(pieces, ids, counts)
  await nameOrigins(tx, run, pieces, messages)
  await rewriteLinks(tx, run, writtenOf(pieces, messages), result.remarks)
  await insertImportedMessages(tx, messages, newsOf(run, messages))
  await insertImportedFiles(tx, filesOf(pieces, ids))
  await advanceImportedChats(tx, chats)
  const keys = pieces.map(({ row, first }, index) => ({ row, first, id: ids[index] as number }))
  const firsts = keys.filter(({ first }) => first)
  await insertKeys(
    tx,
    run.row,
    'message',
    firsts.map(({ row, id }) => ({ source_id: row.source_id, id, made: true })),
  )
  const rest = keys.filter(({ first }) => !first)
  await insertKeys(
    tx,
    run.row,
    'message',
    rest.map(({ row, id }) => ({ source_id: `${row.source_id}#${id}`, id, made: true })),
  )
  await updateThreadRoots(
    tx,
    firsts.flatMap(({ row, id }) => {
      const chat_id = lookups.threads.get(row.source_id)
      return chat_id === undefined ? [] : [{ chat_id, message_id: id }]
    }),
  )
  result.written = firsts.length
  return result
}

export const messages: Phase<MessageRecord, Texts> = {
  kind: 'message',
  batch: 4000,
  ahead: true,
  prepare: renderTexts,
  write: writeMessages,
}
