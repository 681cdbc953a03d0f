import { join } from 'node:path'
import { type Account, optionsFor, runAs, works } from './account.js'
import { copyBinaries, findBinaries, linkLibraries } from './binaries.js'

const WINDOWS = process.platform === 'win32'

/** The PostgreSQL programs in a place and under an account where they are known to start. */
export interface Programs {
  native: string
  version: string
  account: Account
  /** Whether `setpriv` can tie the life of a program to ours. */
  deathSignal: boolean
}

/** Chooses where to run PostgreSQL from, by trying: as npm installed it, or a copy next to the data. */
export async function choosePrograms(folder: string, account: Account): Promise<Programs> {
  const found = findBinaries()
  const linked = await linkLibraries(found).then(
    () => true,
    () => false,
  )
  const copy = () => copyBinaries(found, folder)
  let complaint = ''
  for (const place of linked ? [async () => found, copy] : [copy]) {
    try {
      const native = await place()
      const version = await readVersion(native, account)
      return { native, version, account, deathSignal: await hasDeathSignal(account) }
    } catch (error) {
      complaint = (error as Error).message.trim()
    }
  }
  throw new Error(
    `PostgreSQL does not start here. Run as an ordinary user, or set DATABASE_URL. ${complaint}`.trim(),
  )
}

/** Runs one of the programs to its end and returns what it printed. */
export async function runProgram(
  { native, account }: Pick<Programs, 'native' | 'account'>,
  name: string,
  args: string[],
): Promise<string> {
  return (await runAs(account, [program(native, name), ...args])).stdout
}

/** The command line and the options that start a program under the chosen account. */
export function commandFor({ native, account, deathSignal }: Programs, name: string, args: string[]) {
  const tie = deathSignal ? ['setpriv', '--pdeathsig', 'INT', '--'] : []
  const [file, ...rest] = [...account.through, ...tie, program(native, name), ...args]
  return { file: file!, args: rest, options: optionsFor(account) }
}

async function readVersion(native: string, account: Account): Promise<string> {
  const { stdout } = await runAs(account, [program(native, 'postgres'), '--version'])
  return /(\d+\.\d+)/.exec(stdout)?.[1] ?? stdout.trim()
}

function hasDeathSignal(account: Account): Promise<boolean> {
  return works(account, ['setpriv', '--pdeathsig', 'INT', '--', 'true'])
}

function program(native: string, name: string): string {
  return join(native, 'bin', WINDOWS ? `${name}.exe` : name)
}
