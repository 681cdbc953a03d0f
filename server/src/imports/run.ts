import { isDeepStrictEqual } from 'node:util'
import { workspaceImported } from '@parley/contract'
import { type ImportRecord, type Remark, remark } from '@parley/imports'
import {
  dateArchived,
  giveClosedChats,
  insertOwners,
  insertPersonalMembers,
  insertThreadFollowers,
} from '../chats/import-queries.js'
import { createKnownWords } from '../messages/known-words.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { whileAlone } from './alone.js'
import { listKeysOf } from './chat-queries.js'
import { digestOf } from './digest.js'
import type { Fetching } from './fetch-file.js'
import { keepNews } from './learn-words.js'
import { finishPortable, PORTABLE_PHASES } from './portable/plan.js'
import { settle } from './portable/settle.js'
import {
  allowLong,
  allowMemory,
  type Counts,
  commitUnflushed,
  deleteRecords,
  findImport,
  findOpenImport,
  hasMade,
  hasRecords,
  type ImportRow,
  insertImport,
  listRecords,
  lockImport,
  type Place,
  type RecordRow,
  updateCounts,
  updateImport,
  upsertRemarks,
} from './queries.js'
import { readWhereNeeded } from './read-archive.js'
import { type AnySource, ImportError, type Mapping, type Outcome, type Phase, type Run } from './run-state.js'
import type { Progress } from './stage.js'
import { refreshStatistics } from './statistics.js'
import { chats, members, rememberChats } from './write-chats.js'
import {
  properties,
  propertyValues,
  rememberMappedTags,
  rememberTags,
  tagMembers,
  tags,
} from './write-details.js'
import { files } from './write-files.js'
import { followers } from './write-followers.js'
import { pins, reactions } from './write-marks.js'
import { messages } from './write-messages.js'
import { bots, people, rememberPeople } from './write-people.js'
import { writeThreads } from './write-threads.js'

/** In this order; threads are made before the messages that they hold. */
const PHASES = [
  people,
  bots,
  tags,
  tagMembers,
  properties,
  propertyValues,
  chats,
  files,
  messages,
  members,
  reactions,
  pins,
  followers,
] as unknown as readonly Phase<ImportRecord, unknown>[]

export interface ImportCall {
  /** The path of the archive, as it was given. */
  archive: string
  /** Where it lies, to be hashed. */
  path: string
  options: object
  mapping?: Mapping
  /** Where files may be fetched from that the archive does not hold; nowhere where absent. */
  fetching?: Fetching
  /** Files are counted and not copied. */
  dry?: boolean
  onProgress?: (progress: Progress) => void
}

/** Goes on with an import that was broken off, where the archive and the choices are the same; else begins one. */
async function begin(ctx: Context, actor: Actor, source: AnySource, call: ImportCall): Promise<ImportRow> {
  const open = await findOpenImport(ctx.db)
  if (open) {
    const same =
      open.source === source.name &&
      open.workspace === source.workspace &&
      open.archive === call.archive &&
      isDeepStrictEqual(open.options, JSON.parse(JSON.stringify(call.options)))
    if (!same || open.state === 'undoing')
      throw new ImportError(
        `Import ${open.id} (${open.archive}) is not finished: run it again or undo it first.`,
      )
    return open
  }
  const archive_sha256 = call.dry ? null : await digestOf(call.path)
  return transaction(ctx, async (tx) => {
    const { keeps_ids, owner_id } =
      'manifest' in source ? await settle(tx, source, call.dry ?? false) : { keeps_ids: false }
    return insertImport(tx, {
      user_id: owner_id ?? actor.user_id,
      keeps_ids,
      source: source.name,
      workspace: source.workspace,
      archive: call.archive,
      archive_sha256,
      options: JSON.stringify(call.options),
      counts: '{}',
      state: 'reading',
      created_at: now(ctx.clock),
    })
  })
}

/** Brings an archive in. Can be broken off at any point and run again; a second run of a finished import writes nothing. */
export function runImport(
  ctx: Context,
  actor: Actor,
  source: AnySource,
  call: ImportCall,
): Promise<ImportRow> {
  return whileAlone(ctx, () => runAlone(ctx, actor, source, call))
}

export async function runAlone(
  ctx: Context,
  actor: Actor,
  source: AnySource,
  call: ImportCall,
): Promise<ImportRow> {
  const onProgress = call.onProgress ?? (() => {})
  const row = await readWhereNeeded(ctx, await begin(ctx, actor, source, call), source, onProgress)
  const run: Run = {
    ctx,
    row,
    staged: await hasRecords(ctx.db),
    source,
    mapping: call.mapping ?? {},
    fetching: await fetchingOf(source, call),
    dry: call.dry ?? false,
    people: new Map(),
    chats: new Map(),
    tags: new Map(),
    words: createKnownWords(ctx.clock),
    learning: [],
  }
  await remember(run)
  const phases = 'manifest' in source ? (PORTABLE_PHASES as unknown as typeof PHASES) : PHASES
  while (run.row.phase < phases.length) {
    const phase = phases[run.row.phase] as Phase<ImportRecord, unknown>
    if (phase === (messages as unknown)) {
      await writeThreads(run)
      await refreshStatistics(run.ctx, 'thread')
    }
    await writePhase(run, phase, onProgress)
  }
  return finish(run, actor)
}

async function fetchingOf(source: AnySource, { fetching, dry }: ImportCall): Promise<Fetching | null> {
  if (!fetching || fetching.origins.length === 0) return null
  return { ...fetching, token: fetching.token ?? (dry ? null : ((await source.findToken?.()) ?? null)) }
}

/** People, chats and tags that have keys already. */
async function remember(run: Run) {
  const { db } = run.ctx
  await rememberPeople(db, run, await listKeysOf(db, run.row, 'person'))
  await rememberChats(db, run, await listKeysOf(db, run.row, 'chat'))
  await rememberTags(db, run, await listKeysOf(db, run.row, 'tag'))
  await rememberMappedTags(db, run)
}

async function nextBatch(run: Run, phase: Phase<ImportRecord, unknown>, place: Place) {
  const rows = await listRecords<ImportRecord>(run.ctx.db, phase.kind, place, phase.batch)
  return { rows, prepared: phase.ahead ? await phase.prepare?.(run, rows) : undefined }
}

/** Writes the records of a kind, a batch and a transaction at a time, each with the place that it has come to. */
async function writePhase(
  run: Run,
  phase: Phase<ImportRecord, unknown>,
  onProgress: (progress: Progress) => void,
) {
  const total = (run.row.counts as Counts)[phase.kind]?.read ?? 0
  let next = nextBatch(run, phase, run.row)
  let first = true
  for (;;) {
    const batch = await next
    const { rows } = batch
    const last = rows.at(-1)
    if (!last) return endPhase(run, phase.kind)
    const prepared = phase.ahead ? batch.prepared : await phase.prepare?.(run, rows)
    const place = { place_at: last.at, place_seq: last.seq }
    // The next batch is read while this one is written; whoever waits for it hears of a failure.
    next = nextBatch(run, phase, place)
    next.catch(() => {})
    const counts = await transaction(run.ctx, async (tx) => {
      await commitUnflushed(tx)
      await allowMemory(tx)
      if (await hasMoved(tx, run)) return null
      await ensureStaged(tx, run)
      const fresh = rows.filter(({ repeated }) => !repeated)
      const result = await phase.write(tx, run, fresh, prepared)
      result.skipped.push(...repeatedOf(phase, rows))
      const sum = add(run.row.counts as Counts, phase.kind, result)
      await updateImport(tx, run.row.id, place)
      await updateCounts(tx, run.row.id, sum)
      await upsertRemarks(tx, run.row.id, [...result.skipped, ...result.remarks])
      return sum
    })
    if (counts === null) return takeUp(run)
    // After the commit: a transaction that is run again counts from where it began.
    run.row = { ...run.row, ...place, counts }
    keepNews(run)
    if (first) await refreshStatistics(run.ctx, phase.kind)
    first = false
    onProgress({ phase: phase.kind, done: doneOf(counts[phase.kind]), total })
  }
}

/** The last commit of a process that was killed may come after its successor has read where it was. */
async function hasMoved(tx: Tx, { row }: Run): Promise<boolean> {
  const { phase, place_at, place_seq } = await lockImport(tx, row.id)
  return phase !== row.phase || place_at !== row.place_at || place_seq !== row.place_seq
}

/**
 * Between two statements a crash of the database goes unnoticed: there is a new connection afterwards, and no record left to
 * write. Within a transaction it does not.
 */
async function ensureStaged(tx: Tx, { staged }: Run) {
  if (staged && !(await hasRecords(tx)))
    throw new Error('The database was restarted in the middle of the import: run the import again.')
}

async function takeUp(run: Run) {
  run.row = (await findImport(run.ctx.db, run.row.id)) as ImportRow
  await remember(run)
}

async function endPhase(run: Run, kind: Phase['kind']) {
  if ((run.row.counts as Counts)[kind]?.written) await refreshStatistics(run.ctx, kind)
  const next = { phase: run.row.phase + 1, place_at: -1, place_seq: 0 }
  await transaction(run.ctx, async (tx) => {
    if (await hasMoved(tx, run)) return
    await ensureStaged(tx, run)
    await updateImport(tx, run.row.id, next)
  })
  await takeUp(run)
}

function repeatedOf({ kind }: Pick<Phase, 'kind'>, rows: readonly RecordRow<ImportRecord>[]): Remark[] {
  return rows.flatMap(({ repeated, source_id }) =>
    repeated ? [remark('skipped', kind, 'is there twice', source_id)] : [],
  )
}

const doneOf = (sum: Counts[Phase['kind']]) => (sum ? sum.written + sum.merged + sum.skipped : 0)

function add(counts: Counts, kind: Phase['kind'], { written, merged, skipped }: Outcome): Counts {
  const before = counts[kind] ?? { read: 0, written: 0, merged: 0, skipped: 0 }
  return {
    ...counts,
    [kind]: {
      read: before.read,
      written: before.written + written,
      merged: before.merged + merged,
      skipped: before.skipped + skipped.length,
    },
  }
}

/** Members that follow from chats and threads, and times that follow from messages. */
async function addWhatFollows(tx: Tx, { row }: Run, at: Date) {
  await giveClosedChats(tx, row.id)
  await insertOwners(tx, row.id, at)
  await insertPersonalMembers(tx, row.id, at)
  await insertThreadFollowers(tx, row.id, at)
  await dateArchived(tx, row.id)
}

/** What follows from what was written, one event that tells clients to load anew, and the end. */
async function finish(run: Run, actor: Actor): Promise<ImportRow> {
  const at = now(run.ctx.clock)
  const counted = Object.values(run.row.counts as Counts).some(({ written }) => written > 0)
  const wroteAnything = await transaction(run.ctx, async (tx) => {
    await allowLong(tx)
    await ensureStaged(tx, run)
    if ('manifest' in run.source) await finishPortable(tx, run)
    else await addWhatFollows(tx, run, at)
    await updateImport(tx, run.row.id, { state: 'done', finished_at: at })
    // What was written before a crash of the database may count as merged.
    const wrote = counted || (await hasMade(tx, run.row.id))
    // The owner may have got another id.
    const by = { ...actor, user_id: run.row.user_id }
    if (wrote) await emit(tx, run.ctx, by, workspaceImported, { id: run.row.id })
    return wrote
  })
  if (wroteAnything) await refreshStatistics(run.ctx, 'chat_member')
  await deleteRecords(run.ctx.autocommit)
  return { ...run.row, state: 'done', finished_at: at }
}
