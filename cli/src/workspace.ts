import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  exportPortable,
  importPortable,
  OperatorError,
  type PortableVerdict,
  verifyPortableFile,
} from '@parley/server'
import type { Command } from 'commander'
import { onWorkspace, print, type Shared, withSharedOptions } from './answer.js'
import { progressLines, reportLines } from './import.js'
import { ensureTarget } from './target.js'
import type { Terminal } from './terminal.js'

interface ExportFlags extends Shared {
  withoutFiles?: boolean
  withoutAudit?: boolean
  withoutPersonalChats?: boolean
  withAddresses?: boolean
  since?: string
  sign?: string
  force?: boolean
}

function timeOf(date: string | undefined): string | null {
  if (date === undefined) return null
  const at = Date.parse(date)
  if (Number.isNaN(at)) throw new OperatorError(`${date} is no date: write it as 2026-01-31.`)
  return new Date(at).toISOString()
}

async function runExport(terminal: Terminal, given: string, flags: ExportFlags) {
  const file = resolve(given)
  ensureTarget(file, 'file', flags.force ?? false)
  const options = {
    without_files: flags.withoutFiles ?? false,
    without_audit: flags.withoutAudit ?? false,
    without_personal_chats: flags.withoutPersonalChats ?? false,
    with_addresses: flags.withAddresses ?? false,
    since: timeOf(flags.since),
  }
  const { sign } = flags
  await onWorkspace(terminal, flags, async (workspace) => {
    const written = await exportPortable(workspace, {
      file,
      options,
      onProgress: progressLines(terminal, flags),
      ...(sign !== undefined && { sign }),
    })
    const counts = Object.entries(written.lines).map(([kind, count]) => `  ${kind.padEnd(15)} ${count}`)
    const size = `${(written.bytes / 1e6).toFixed(1)} MB, ${written.files} files`
    return {
      value: written,
      lines: [`${file}: ${size}`, ...counts, `The end of its chain is ${written.head}.`],
    }
  })
}

function linesOf(file: string, verdict: PortableVerdict): string[] {
  const remarks = verdict.remarks.map((remark) => `  ${remark}`)
  if (!verdict.whole)
    return [
      `${file} is not whole:`,
      ...verdict.faults.map(
        ({ entry, line, fault }) => `  ${entry}${line ? `, line ${line}` : ''}: ${fault}`,
      ),
      ...remarks,
    ]
  const { workspace, made_at } = verdict.manifest ?? {}
  return [
    `${file} is whole: ${workspace?.name}, written ${made_at}, ${verdict.entries} entries, ${verdict.lines} lines.`,
    verdict.signed_by ? `Signed by the key ${verdict.signed_by}.` : 'Nobody has signed it.',
    `The end of its chain is ${verdict.head}.`,
    ...remarks,
  ]
}

async function runVerify(terminal: Terminal, file: string, flags: Shared & { signedBy?: string }) {
  const verdict = await verifyPortableFile(resolve(file), flags.signedBy)
  print(terminal, flags, { value: verdict, lines: linesOf(file, verdict), failed: !verdict.whole })
}

interface ImportFlags extends Shared {
  check?: boolean
  mapping?: string
  signedBy?: string
  namePrefix?: string
  report?: string
}

async function runImport(terminal: Terminal, file: string, flags: ImportFlags) {
  const { check, mapping, signedBy: signed_by, namePrefix: name_prefix } = flags
  await onWorkspace(terminal, flags, async (workspace) => {
    terminal.giveWay(workspace)
    const report = await importPortable(workspace, {
      file: resolve(file),
      options: name_prefix === undefined ? {} : { name_prefix },
      onProgress: progressLines(terminal, flags),
      ...(check && { check }),
      ...(mapping !== undefined && { mapping }),
      ...(signed_by !== undefined && { signed_by }),
    })
    if (flags.report) await writeFile(flags.report, `${JSON.stringify(report, null, 2)}\n`)
    return { value: report, lines: reportLines(report) }
  })
}

export function addWorkspace(program: Command, terminal: Terminal) {
  const command = program
    .command('workspace')
    .description('the whole workspace as one portable file: write it, check it, bring it in')
  withSharedOptions(command.command('export'))
    .argument('<file>', 'the file to write')
    .description('write everything but secrets into one file, also while the server runs')
    .option('--without-files', 'leave out the bytes of files')
    .option('--without-audit', 'leave out the audit log')
    .option('--without-personal-chats', 'leave out personal chats')
    .option('--with-addresses', 'include the webhook addresses of bots, which may hold secrets')
    .option('--since <date>', 'only messages from then on')
    .option('--sign <key>', 'sign with the Ed25519 private key in this PEM file')
    .option('--force', 'replace the file if it exists')
    .action((file: string, flags: ExportFlags) => runExport(terminal, file, flags))
  command
    .command('verify')
    .argument('<file>')
    .description('say whether a file is whole, and what was changed where; needs no server')
    .option('--signed-by <key>', 'it must be signed by the Ed25519 public key in this PEM file')
    .option('--json', 'print JSON')
    .action((file: string, flags: Shared & { signedBy?: string }) => runVerify(terminal, file, flags))
  withSharedOptions(command.command('import'))
    .argument('<file>')
    .description('bring a file in: with its ids into an empty workspace, else beside what is there')
    .option('--check', 'say what would be done; nothing is written')
    .option(
      '--mapping <file>',
      'JSON: { "people": { "id in the file": "mail or nickname" }, "chats": { "id in the file": chat id } }',
    )
    .option('--signed-by <key>', 'it must be signed by the Ed25519 public key in this PEM file')
    .option('--name-prefix <text>', 'put before the names of chats')
    .option('--report <file>', 'write the report as JSON')
    .action((file: string, flags: ImportFlags) => runImport(terminal, file, flags))
}
