import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createPasswords, LEAST_COST } from '@parley/server/platform/passwords'
import { run } from './program.js'

const passwords = createPasswords(LEAST_COST)

export interface Ended {
  code: number
  stdout: string
  stderr: string
}

export interface Answered extends Ended {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json(): any
}

/** Runs a command in this process, with these settings and no others. */
export async function command(
  args: string[],
  env: Record<string, string> = {},
  input = '',
  onError: (text: string) => void = () => {},
): Promise<Answered> {
  const written = { out: '', err: '' }
  const code = await run(args, {
    env,
    out: (text) => {
      written.out += text
    },
    err: (text) => {
      written.err += text
      onError(text)
    },
    progress: null,
    read: async () => input,
    async *lines() {
      yield* input.split('\n')
    },
    giveWay() {},
    exit_code: 0,
    passwords,
  })
  return { code, stdout: written.out, stderr: written.err, json: () => JSON.parse(written.out) }
}

export async function emptyFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-command-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}
