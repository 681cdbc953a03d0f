import { existsSync } from 'node:fs'
import { backupDatabase } from '@parley/postgres'
import { type Config, filesFolder, findReplica, hostName, withDatabase } from '@parley/server'
import type { Command } from 'commander'
import { configOf, printAbout, type Shared, withSharedOptions } from './answer.js'
import { progressBar } from './progress.js'
import { ensureTarget } from './target.js'
import type { Terminal } from './terminal.js'

interface Options extends Shared {
  force?: boolean
}

/** Uploads in a bucket are not part of the file, which must not look as if there were none. */
function filesLine(config: Config, count: number): string {
  return config.s3_bucket ? `files stay in the bucket ${config.s3_bucket}: back it up too` : `${count} files`
}

/** How long a replica may take to have everything that is committed when the command starts. */
const REPLICA_WAIT_MS = 10_000

type Source = Omit<Parameters<typeof backupDatabase>[0], 'url'>

/** Reads from a replica where there is one that has everything and reads it through; else from the primary. */
async function backUp(terminal: Terminal, config: Config, primaryUrl: string, source: Source) {
  const replica = await findReplica(config, primaryUrl, REPLICA_WAIT_MS)
  if (replica !== undefined) {
    try {
      return { replica: hostName(replica), ...(await backupDatabase({ ...source, url: replica })) }
    } catch (error) {
      const reason = (error as Error).message
      terminal.err(`Backup from replica ${hostName(replica)} failed; reading from the primary: ${reason}\n`)
    }
  }
  return { replica: null, ...(await backupDatabase({ ...source, url: primaryUrl })) }
}

async function run(terminal: Terminal, file: string, options: Options) {
  ensureTarget(file, 'backup', options.force)
  const config = configOf(terminal, options)
  const folder = filesFolder(config)
  const bar = progressBar(terminal, 'Backing up', options.json)
  try {
    await withDatabase(config, async ({ url }, workspace) => {
      const summary = await backUp(terminal, config, url, {
        file,
        // With files kept elsewhere, or none yet, there is no folder.
        filesFolder: existsSync(folder) ? folder : undefined,
        onProgress: bar.onProgress,
      })
      bar.done()
      const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0)
      const megabytes = (summary.bytes / 1e6).toFixed(1)
      const files = filesLine(config, summary.files?.count ?? 0)
      const from = summary.replica ? ` Read from replica ${summary.replica}.` : ''
      const lines = [`${file}: ${rows} rows, ${megabytes} MB; ${files}.${from}`]
      printAbout(terminal, options, workspace, { value: summary, lines })
    })
  } finally {
    bar.done()
  }
}

export function addBackup(program: Command, terminal: Terminal) {
  withSharedOptions(program.command('backup'))
    .argument('<file>', 'the file to write')
    .description('write a consistent backup of a running or stopped server into one file')
    .option('--force', 'replace the file if it exists')
    .action((file, options) => run(terminal, file, options))
}
