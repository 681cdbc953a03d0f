import { execFile } from 'node:child_process'
import { chmod, lchown, lstat, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyBinaries, findBinaries, linkLibraries } from './binaries.js'

const NOBODY = 65534
const WINDOWS = process.platform === 'win32'
const run = promisify(execFile)

/** Who the programs run as: PostgreSQL refuses root, and some systems know no name for our user. */
export interface Account {
  uid?: number
  gid?: number
  through: string[]
}

/** The PostgreSQL programs in a place and under an account where they are known to start. */
export interface Programs {
  native: string
  version: string
  account: Account
  /** Whether `setpriv` can tie the life of a program to ours. */
  deathSignal: boolean
}

/** Chooses how to run PostgreSQL here, by trying: our own user, nobody when we are root, or a user namespace. */
export async function choosePrograms(folder: string): Promise<Programs> {
  const found = findBinaries()
  const linked = await linkLibraries(found).then(
    () => true,
    () => false,
  )
  const complaints: string[] = []
  for (const account of await listAccounts(folder)) {
    for (const place of linked
      ? [async () => found, () => copyBinaries(found, folder)]
      : [() => copyBinaries(found, folder)]) {
      try {
        const native = await place()
        const version = await readVersion(native, account)
        return { native, version, account, deathSignal: await hasDeathSignal(account) }
      } catch (error) {
        complaints.push((error as Error).message.trim())
      }
    }
  }
  throw new Error(
    `PostgreSQL does not start here for any user that may run it. Use a data folder that other users can pass through ` +
      `(chmod o+x on ${folder} and its parents), run as an ordinary user, or set DATABASE_URL. ${complaints.at(-1) ?? ''}`.trim(),
  )
}

/** Runs one of the programs to its end and returns what it printed. */
export async function runProgram(
  { native, account }: Programs,
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

/** Gives a folder and all in it to the account; a start under another account may have left it to that one. */
export async function giveTo(account: Account, path: string): Promise<void> {
  const [uid, gid] = [account.uid ?? process.getuid?.(), account.gid ?? process.getgid?.()]
  if (process.getuid?.() !== 0 || uid === undefined || gid === undefined) return
  if ((await stat(path)).uid !== uid) await chownAll(path, uid, gid)
}

async function listAccounts(folder: string): Promise<Account[]> {
  const namespace = { through: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--'] }
  const accounts: Account[] = []
  if (process.getuid?.() === 0) {
    const nobody = { uid: NOBODY, gid: NOBODY, through: [] }
    await chmod(folder, 0o711)
    if (await works(nobody, ['/bin/sh', '-c', 'test -x "$0"', folder])) accounts.push(nobody)
  } else if (hasName()) {
    accounts.push({ through: [] })
  }
  if (!WINDOWS && (await works(namespace, ['true']))) accounts.push(namespace)
  return accounts
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

async function readVersion(native: string, account: Account): Promise<string> {
  const { stdout } = await runAs(account, [program(native, 'postgres'), '--version'])
  return /(\d+\.\d+)/.exec(stdout)?.[1] ?? stdout.trim()
}

function hasDeathSignal(account: Account): Promise<boolean> {
  return works(account, ['setpriv', '--pdeathsig', 'INT', '--', 'true'])
}

function works(account: Account, command: string[]): Promise<boolean> {
  return runAs(account, command).then(
    () => true,
    () => false,
  )
}

function runAs(account: Account, command: string[]) {
  const [file, ...args] = [...account.through, ...command]
  return run(file!, args, optionsFor(account))
}

function optionsFor({ uid, gid }: Account) {
  if (WINDOWS) return {}
  // None of our environment: PGPORT, PGDATA, LC_* and the like would change what PostgreSQL does.
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }
  return { uid, gid, env, cwd: '/' }
}

function program(native: string, name: string): string {
  return join(native, 'bin', WINDOWS ? `${name}.exe` : name)
}

async function chownAll(path: string, uid: number, gid: number): Promise<void> {
  if ((await lstat(path)).isDirectory()) {
    for (const name of await readdir(path)) await chownAll(join(path, name), uid, gid)
  }
  // The top comes last, so that a chown that was cut short is done again.
  await lchown(path, uid, gid)
}
