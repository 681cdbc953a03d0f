import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type ArchiveCall,
  checkArchive,
  type ImportReport,
  importArchive,
  importStatus,
  needsOf,
  type OpenWorkspace,
  OperatorError,
  pace,
  reportPage,
  titleOf,
  undoArchive,
} from '@parley/server'
import { type Command, Option } from 'commander'
import { onWorkspace, type Shared, withSharedOptions } from './answer.js'
import { ensureFolder } from './target.js'
import type { Terminal } from './terminal.js'

interface ReadFlags extends Shared {
  workspace?: string
  mapping?: string
  chats?: string[]
  onlyPublic?: boolean
  since?: string
  until?: string
  withoutFiles?: boolean
  guests?: 'guest' | 'user' | 'skip'
  systemMessages?: 'keep' | 'skip'
  deactivated?: 'suspended' | 'placeholder'
  namePrefix?: string
  topics?: 'threads' | 'flat'
  fetchFrom?: string[]
  report?: string[]
}

function microseconds(date: string | undefined): number | undefined {
  if (date === undefined) return undefined
  const at = Date.parse(date)
  if (Number.isNaN(at)) throw new OperatorError(`${date} is no date: write it as 2026-01-31.`)
  return at * 1000
}

/** Options that were not given are left out. */
function callOf(terminal: Terminal, archive: string, flags: ReadFlags): ArchiveCall {
  const given = {
    chats: flags.chats,
    only_public: flags.onlyPublic,
    since: microseconds(flags.since),
    until: microseconds(flags.until),
    without_files: flags.withoutFiles,
    guests: flags.guests,
    system_messages: flags.systemMessages,
    deactivated: flags.deactivated,
    name_prefix: flags.namePrefix,
    topics: flags.topics,
  }
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const { workspace, mapping } = flags
  return {
    archive: resolve(archive),
    options,
    onProgress: progressLines(terminal, flags),
    ...(workspace !== undefined && { workspace }),
    ...(mapping !== undefined && { mapping }),
    ...(flags.fetchFrom && { fetch_from: flags.fetchFrom }),
    ...(terminal.env.PARLEY_IMPORT_TOKEN && { fetch_token: terminal.env.PARLEY_IMPORT_TOKEN }),
  }
}

const EVERY_MS = 1000

/** A line a second: what is being done, how much of it, how fast, and how long it will take. */
export function progressLines(terminal: Terminal, { json }: Shared): NonNullable<ArchiveCall['onProgress']> {
  const paced = pace()
  let told = 0
  return (progress) => {
    const { phase, done, total, rate, seconds_left } = paced(progress)
    if (json || Date.now() - told < EVERY_MS) return
    told = Date.now()
    const left = seconds_left === null ? '' : `, ${seconds_left} s left`
    const speed = rate === 0 ? '' : `, ${rate} a second`
    terminal.err(`${phase}: ${done}${total === null ? '' : ` of ${total}`}${speed}${left}\n`)
  }
}

/** Who imported what, when and how. */
function headLines(report: ImportReport): string[] {
  const { archive, archive_sha256, source, workspace, state, user_id, started_at, finished_at } = report
  const options = Object.entries(report.options).map(([name, value]) => `${name} ${value}`)
  return [
    `${titleOf(report)} of ${archive} (${source}, ${workspace}): ${state}`,
    `  by user ${user_id}, ${started_at}${finished_at ? ` to ${finished_at}` : ''}`,
    ...(options.length > 0 ? [`  with ${options.join(', ')}`] : []),
    ...(archive_sha256 ? [`  SHA-256 ${archive_sha256}`] : []),
  ]
}

export function reportLines(report: ImportReport): string[] {
  const counts = Object.entries(report.counts).map(
    ([kind, { read, written, merged, skipped }]) =>
      `  ${kind.padEnd(15)} ${read} read = ${written} written + ${merged} merged + ${skipped} skipped`,
  )
  const remarks = report.remarks.map(
    ({ kind, of, reason, count, ids }) =>
      `  ${kind} ${count} × ${of} ${reason} (${ids.slice(0, 3).join(', ')}${count > 3 ? ', …' : ''})`,
  )
  return [
    ...headLines(report),
    ...counts,
    ...(report.estimate ? [`A run needs ${needsOf(report.estimate)}.`] : []),
    ...(remarks.length > 0 ? ['Remarks:', ...remarks] : []),
    ...(report.lost.length > 0 ? [`Never in such an archive: ${report.lost.join('; ')}.`] : []),
  ]
}

/** A page for people where the name says so, else JSON. */
function reportAs(file: string, report: ImportReport): string {
  return /\.html?$/i.test(file) ? reportPage(report) : `${JSON.stringify(report, null, 2)}\n`
}

function importId(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new OperatorError('An import is named by its number: see parley import status.')
  return Number(text)
}

async function show(
  terminal: Terminal,
  flags: ReadFlags,
  work: (workspace: OpenWorkspace) => Promise<ImportReport>,
  linesOf = reportLines,
) {
  for (const file of flags.report ?? []) ensureFolder(resolve(file), 'report')
  await onWorkspace(terminal, flags, async (workspace) => {
    const report = await work(workspace)
    for (const file of flags.report ?? []) await writeFile(file, reportAs(file, report))
    return { value: report, lines: linesOf(report) }
  })
}

function addReadOptions(command: Command): Command {
  return withSharedOptions(command)
    .argument('<archive>', 'a ZIP, a tar or a folder')
    .option('--workspace <name>', 'tells two workspaces of one kind apart')
    .option(
      '--mapping <file>',
      'JSON: { "people": { "source id": "mail or nickname" }, "chats": { "source id": chat id }, "fields": { "source id": "name" }, "tags": { "source id": "name of a tag" } }',
    )
    .option('--chats <names...>', 'only these, by name or id; `north/*` for one team of Mattermost')
    .option('--only-public', 'only public chats')
    .option('--since <date>', 'only messages from then on')
    .option('--until <date>', 'only messages before')
    .option('--without-files', 'leave files out')
    .option(
      '--fetch-from <hosts...>',
      'fetch files that the archive does not hold from these hosts; with the token of PARLEY_IMPORT_TOKEN, or that of the archive',
    )
    .addOption(new Option('--guests <as>', 'what guests become').choices(['guest', 'user', 'skip']))
    .addOption(
      new Option('--system-messages <how>', 'joins, renames and their like').choices(['keep', 'skip']),
    )
    .addOption(
      new Option('--deactivated <as>', 'what deactivated people become').choices([
        'suspended',
        'placeholder',
      ]),
    )
    .option('--name-prefix <text>', 'put before the names of chats')
    .addOption(
      new Option('--topics <how>', 'topics of Zulip: a thread each, or one row').choices(['threads', 'flat']),
    )
    .option('--report <files...>', 'write the report: as a page where a name ends in .html, else as JSON')
}

export function addImport(program: Command, terminal: Terminal) {
  const command = program.command('import').description('bring in the history of another messenger')
  addReadOptions(command.command('check'))
    .description('read an archive and say what a run would do; nothing is written')
    .action((archive: string, flags: ReadFlags) =>
      show(terminal, flags, (workspace) => {
        terminal.giveWay(workspace)
        return checkArchive(workspace, callOf(terminal, archive, flags))
      }),
    )
  addReadOptions(command.command('run'))
    .description('import an archive; run it again where it was broken off')
    .action((archive: string, flags: ReadFlags) =>
      show(terminal, flags, (workspace) => {
        terminal.giveWay(workspace)
        return importArchive(workspace, callOf(terminal, archive, flags))
      }),
    )
  withSharedOptions(command.command('status'))
    .description('the report of an import')
    .argument('[id]', 'the last one where absent')
    .action((id: string | undefined, flags: ReadFlags) =>
      show(terminal, flags, (workspace) =>
        importStatus(workspace, id === undefined ? undefined : importId(id)),
      ),
    )
  withSharedOptions(command.command('undo'))
    .description('take out what an import made, where nobody has written in its chats since')
    .argument('<id>')
    .action((id: string, flags: ReadFlags) =>
      show(terminal, flags, (workspace) => undoArchive(workspace, importId(id)), headLines),
    )
}
