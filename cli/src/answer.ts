import {
  type Config,
  type OpenWorkspace,
  openWorkspace,
  readConfig,
  type WorkspaceFacts,
} from '@parley/server'
import type { Command } from 'commander'
import type { Terminal } from './terminal.js'

/** Options that every command on a workspace has. */
export interface Shared {
  json?: boolean
  dataDir?: string
}

export function withSharedOptions(command: Command): Command {
  return command
    .option('--data-dir <folder>', 'where data lives (PARLEY_DATA_DIR, ./data)')
    .option('--json', 'print JSON')
}

export function configOf(terminal: Terminal, { dataDir }: Pick<Shared, 'dataDir'>): Config {
  const given = dataDir === undefined ? {} : { PARLEY_DATA_DIR: dataDir, PARLEY_DATA_DIR_FILE: undefined }
  return readConfig({ ...terminal.env, ...given })
}

/** Where a server listens, for commands that start one or look at it. */
export interface Address extends Shared {
  port?: string
  host?: string
}

export function withAddress(command: Command): Command {
  return command
    .option('--port <n>', 'the port to listen on (PORT, 8080)')
    .option('--host <address>', 'the address to listen on (HOST, 127.0.0.1)')
}

export function configAt(terminal: Terminal, options: Address): Config {
  const env = { ...terminal.env }
  if (options.port) env.PORT = options.port
  if (options.host) env.HOST = options.host
  return configOf({ ...terminal, env }, options)
}

/** What a command found or did: JSON on one line when asked for, else lines for people. */
export interface Answer {
  value: object
  lines: string[]
  failed?: boolean
}

export function print(terminal: Terminal, { json }: Shared, { value, lines, failed }: Answer) {
  terminal.out(json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)
  if (failed) terminal.exit_code = 1
}

/** The line that says which workspace a command works on. */
export function lineOf({ name, place, through }: WorkspaceFacts): string {
  const how = through === 'running server' ? ', with its server running' : ''
  return `Workspace ${name} in ${place}${how}`
}

/** Prints an answer about a workspace, which says first which one it is. */
export function printAbout(terminal: Terminal, options: Shared, workspace: WorkspaceFacts, answer: Answer) {
  const { value, lines, failed } = answer
  const told = { value: { workspace, ...value }, lines: [lineOf(workspace), ...lines], failed }
  print(terminal, options, told)
}

/** Opens the workspace, does the work, prints the answer. */
export async function onWorkspace(
  terminal: Terminal,
  options: Shared,
  work: (workspace: OpenWorkspace) => Promise<Answer>,
) {
  const workspace = await openWorkspace(configOf(terminal, options), terminal.passwords)
  try {
    printAbout(terminal, options, workspace.facts, await work(workspace))
  } finally {
    await workspace.close()
  }
}

/** Rows in aligned columns, below their titles. */
export function table(titles: string[], rows: string[][]): string[] {
  const all = [titles, ...rows]
  const widths = titles.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
