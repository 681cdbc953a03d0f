import { createInterface } from 'node:readline'
import { giveWay, type openWorkspace } from '@parley/server'

/** What a command reads and writes; tests give their own. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  out(text: string): void
  err(text: string): void
  /** Where progress is shown; null where nobody watches. */
  progress: NodeJS.WriteStream | null
  /** Standard input as text, for what must not be visible in a list of processes. */
  read(): Promise<string>
  /** Standard input line by line, as it comes. */
  lines(): AsyncIterable<string>
  /** Lets the command give way to a server beside it; a process that runs tests stays as it is. */
  giveWay: typeof giveWay
  exit_code: number
  /** Another cost of passwords than that of production: tests hash many. */
  passwords?: Parameters<typeof openWorkspace>[1]
}

async function readInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}

export function processTerminal(): Terminal {
  return {
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    progress: process.stderr.isTTY ? process.stderr : null,
    read: readInput,
    lines: () => createInterface({ input: process.stdin }),
    giveWay,
    exit_code: 0,
  }
}
