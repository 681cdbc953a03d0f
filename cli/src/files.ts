import { resealFiles } from '@parley/server'
import type { Command } from 'commander'
import { configOf, print, type Shared, withSharedOptions } from './answer.js'
import type { Terminal } from './terminal.js'

async function seal(terminal: Terminal, options: Shared) {
  const { files, changed, refused } = await resealFiles(configOf(terminal, options))
  const lines = [
    `${files - refused.length} of ${files} files are encrypted with the first key of PARLEY_FILES_KEY; ${changed} were not before.`,
    ...refused.map((name) => `No key of PARLEY_FILES_KEY opens ${name}, or it is damaged.`),
  ]
  print(terminal, options, { value: { files, changed, refused }, lines, failed: refused.length > 0 })
}

export function addFiles(program: Command, terminal: Terminal) {
  const files = program.command('files').description('the files of the workspace')
  withSharedOptions(files.command('seal'))
    .description('encrypt every file with the first key of PARLEY_FILES_KEY, so that older keys can go')
    .action((options) => seal(terminal, options))
}
