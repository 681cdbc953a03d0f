import { resealFiles } from '@parley/server'
import type { Command } from 'commander'
import { configOf, print, type Shared, withSharedOptions } from './answer.js'
import type { Terminal } from './terminal.js'

async function seal(terminal: Terminal, options: Shared) {
  const { files, changed } = await resealFiles(configOf(terminal, options))
  const lines = [
    `All ${files} files are encrypted under the first key of PARLEY_FILES_KEY; ${changed} were not before.`,
  ]
  print(terminal, options, { value: { files, changed }, lines })
}

export function addFiles(program: Command, terminal: Terminal) {
  const files = program.command('files').description('the files of the workspace')
  withSharedOptions(files.command('seal'))
    .description('encrypt every file under the first key of PARLEY_FILES_KEY, so that older keys can go')
    .action((options) => seal(terminal, options))
}
