import { ArchiveError, openSource, type ReadOptions, type Source } from '@parley/imports'
import { checkImport } from '../imports/check.js'
import { originOf } from '../imports/fetch-file.js'
import { findImport, findLastImport } from '../imports/queries.js'
import { type ImportReport, reportOf } from '../imports/report.js'
import { type ImportCall, runImport } from '../imports/run.js'
import { ImportError } from '../imports/run-state.js'
import type { Progress } from '../imports/stage.js'
import { undoImport } from '../imports/undo.js'
import { OperatorError } from './errors.js'
import { ensureFilesKey } from './files.js'
import { readMapping } from './mapping.js'
import type { OpenWorkspace } from './workspace.js'

export interface ArchiveCall {
  archive: string
  /** Tells two workspaces of one kind of source apart. */
  workspace?: string
  /** A file that says who is who. */
  mapping?: string
  options: ReadOptions
  /** Origins, or hosts meant with https, from which files may be fetched; and a token for them. */
  fetch_from?: readonly string[]
  fetch_token?: string
  onProgress?: (progress: Progress) => void
}

function fetchingOf({ fetch_from, fetch_token }: ArchiveCall): Pick<ImportCall, 'fetching'> {
  if (!fetch_from) return {}
  const origins = fetch_from.map((text) => {
    const origin = originOf(text)
    if (!origin) throw new OperatorError(`${text} is no host.`)
    return origin
  })
  return { fetching: { origins, token: fetch_token ?? null } }
}

async function callOf({ ctx }: OpenWorkspace, call: ArchiveCall): Promise<ImportCall> {
  const { archive, options, onProgress } = call
  const mapping = await readMapping(ctx.db, call.mapping)
  return { archive, path: archive, options, mapping, ...fetchingOf(call), ...(onProgress && { onProgress }) }
}

async function open({ archive, workspace, options }: ArchiveCall): Promise<Source> {
  try {
    return await openSource(archive, workspace ?? null, options)
  } catch (error) {
    if (error instanceof ArchiveError)
      throw new OperatorError(`The archive cannot be imported: ${error.message}.`)
    throw error
  }
}

async function withSource<T>(call: ArchiveCall, work: (source: Source) => Promise<T>): Promise<T> {
  const source = await open(call)
  try {
    return await orExplained(work(source))
  } finally {
    await source.close()
  }
}

/** An import that cannot be begun or undone ends the command with its sentence alone. */
export async function orExplained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof ImportError ? new OperatorError(error.message) : error
  }
}

/** What a run would do, without doing it. */
export function checkArchive(workspace: OpenWorkspace, call: ArchiveCall): Promise<ImportReport> {
  const { ctx, actor } = workspace
  return withSource(call, async (source) => checkImport(ctx, actor, source, await callOf(workspace, call)))
}

export async function importArchive(workspace: OpenWorkspace, call: ArchiveCall): Promise<ImportReport> {
  const { ctx, actor } = workspace
  await ensureFilesKey(ctx)
  return withSource(call, async (source) => {
    const row = await runImport(ctx, actor, source, await callOf(workspace, call))
    return reportOf(ctx.db, row, source.lost)
  })
}

/** The report of an import; of the last one where none is named. */
export async function importStatus({ ctx }: OpenWorkspace, id: number | undefined): Promise<ImportReport> {
  const row = id === undefined ? await findLastImport(ctx.db) : await findImport(ctx.db, id)
  if (!row)
    throw new OperatorError(id === undefined ? 'Nothing was imported here.' : `There is no import ${id}.`)
  return reportOf(ctx.db, row, [])
}

export async function undoArchive({ ctx, actor }: OpenWorkspace, id: number): Promise<ImportReport> {
  return reportOf(ctx.db, await orExplained(undoImport(ctx, actor, id)), [])
}
