import { createHmac, type KeyObject } from 'node:crypto'
import {
  type ExportOptions,
  FORMAT,
  type Manifest,
  PORTABLE_ENTRIES,
  PortableWriter,
  VERSION,
  type WrittenFile,
} from '@parley/imports'
import { readWorkspaceName } from '../company/queries.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { RELEASE } from '../platform/version.js'
import { linesOf } from './lines.js'
import { listContents, sortContents } from './object-queries.js'
import { hashObjects, noHashes, openObject } from './objects.js'
import { findIdsUpTo, findOwnerId, hidePersonalChats, onSnapshot } from './snapshot-queries.js'

export interface ExportCall {
  options: ExportOptions
  /** Signs the end of the chain. */
  key: KeyObject | null
  onProgress?: (progress: { phase: string; done: number; total: null }) => void
}

export interface ExportedWorkspace extends WrittenFile {
  /** How many lines each kind has. */
  lines: Record<string, number>
  files: number
}

/** What tells this workspace from others. Nothing of the secret can be read from it. */
function workspaceId({ secret }: Context): string {
  return createHmac('sha256', secret).update('portable file').digest('hex').slice(0, 32)
}

async function manifestOf(ctx: Context, tx: Tx, options: ExportOptions): Promise<Manifest> {
  return {
    format: FORMAT,
    version: VERSION,
    workspace: { id: workspaceId(ctx), name: await readWorkspaceName(tx), owner_id: await findOwnerId(tx) },
    made_at: new Date(ctx.clock.now()).toISOString(),
    server: `parley ${RELEASE}`,
    ids_up_to: await findIdsUpTo(tx),
    options,
  }
}

const TOLD_EVERY = 1000
const CONTENTS = 500

/** Counts what goes by. */
async function* counted(
  name: string,
  lines: AsyncIterable<object>,
  onProgress: NonNullable<ExportCall['onProgress']>,
) {
  let done = 0
  for await (const line of lines) {
    yield line
    done += 1
    if (done % TOLD_EVERY === 0) onProgress({ phase: name, done, total: null })
  }
}

async function writeObjects(ctx: Context, tx: Tx, writer: PortableWriter): Promise<number> {
  await sortContents(tx)
  let count = 0
  for (let after = ''; ; ) {
    const contents = await listContents(tx, after, CONTENTS)
    for (const { sha256, key } of contents)
      if (await writer.file(sha256, () => openObject(ctx, key))) count += 1
    const last = contents.at(-1)
    if (!last) return count
    after = last.sha256
  }
}

async function writeAll(ctx: Context, tx: Tx, writer: PortableWriter, call: ExportCall) {
  const { options, onProgress = () => {} } = call
  const entries = linesOf(tx, options.without_files ? noHashes : hashObjects(ctx, tx), options)
  const lines: Record<string, number> = {}
  for (const entry of PORTABLE_ENTRIES) {
    if (entry.kind === 'audit' && options.without_audit) continue
    const name = 'name' in entry ? entry.name : entry.series
    const values = counted(name, (entries[name] as () => AsyncIterable<object>)(), onProgress)
    lines[entry.kind] = 'name' in entry ? await writer.lines(name, values) : await writer.series(name, values)
  }
  return { lines, files: options.without_files ? 0 : await writeObjects(ctx, tx, writer) }
}

/**
 * Writes the workspace into one file, as it is at this moment, while the server goes on. What is no content stays here:
 * passwords, tokens, secrets, queues, deliveries.
 */
export function exportWorkspace(ctx: Context, path: string, call: ExportCall): Promise<ExportedWorkspace> {
  return onSnapshot(ctx.autocommit, async (tx) => {
    if (call.options.without_personal_chats) await hidePersonalChats(tx)
    const writer = await PortableWriter.create(path, await manifestOf(ctx, tx, call.options))
    try {
      const written = await writeAll(ctx, tx, writer, call)
      return { ...(await writer.finish(call.key)), ...written }
    } catch (error) {
      await writer.abandon()
      throw error
    }
  })
}
