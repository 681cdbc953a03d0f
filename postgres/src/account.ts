import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { lchownSync, lstatSync, readdirSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const NOBODY = 65534
/** Ids that systemd and the distributions leave free: no person, no service and no container is given one of them. */
const FREE_IDS = { first: 60_706, last: 61_183 }
const WINDOWS = process.platform === 'win32'
const run = promisify(execFile)

/** Who the programs run as: PostgreSQL refuses root, and some systems know no name for our user. */
export interface Account {
  uid?: number
  gid?: number
  through: string[]
}

/** Inside, the account is called nobody; outside, it is who it was. */
const THROUGH_NAMESPACE = ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`, '--']

/**
 * The account of the database: our own user, or, when we are root, an id that nothing else on the host has. It needs
 * no entry in the list of users, and the next start reads it from the owner of the cluster.
 */
export async function chooseAccount(cluster: string): Promise<Account> {
  if (!isRoot()) return hasName() ? { through: [] } : { through: THROUGH_NAMESPACE }
  const owner = await stat(cluster).then(
    ({ uid }) => uid,
    () => 0,
  )
  const uid = owner !== 0 && owner !== NOBODY ? owner : await findFreeId()
  // Root of a namespace that has no other ids is an ordinary user outside.
  return uid === undefined ? { through: THROUGH_NAMESPACE } : { uid, gid: uid, through: [] }
}

/** Who makes the cluster. initdb, unlike the server, insists on a name for its user: lent by a namespace, or nobody's. */
export function listMakers(account: Account): Account[] {
  if (account.uid === undefined) return [account]
  return [
    { ...account, through: THROUGH_NAMESPACE },
    { uid: NOBODY, gid: NOBODY, through: [] },
  ]
}

/** Whether the account can pass through the folder. */
export function canReach(account: Account, folder: string): Promise<boolean> {
  return works(account, ['/bin/sh', '-c', 'test -x "$0"', folder])
}

/** Gives a folder and all in it to the account; a start under another account may have left it to that one. */
export async function giveTo(account: Account, path: string): Promise<void> {
  const [uid, gid] = [account.uid ?? process.getuid?.(), account.gid ?? process.getgid?.()]
  if (!isRoot() || uid === undefined || gid === undefined) return
  if ((await stat(path)).uid !== uid) chownAll(path, uid, gid)
}

export function works(account: Account, command: string[]): Promise<boolean> {
  return runAs(account, command).then(
    () => true,
    () => false,
  )
}

export function runAs(account: Account, command: string[]) {
  const [file, ...args] = [...account.through, ...command]
  return run(file!, args, optionsFor(account))
}

export function optionsFor({ uid, gid }: Account) {
  if (WINDOWS) return {}
  // None of our environment: PGPORT, PGDATA, LC_* and the like would change what PostgreSQL does.
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }
  return { uid, gid, env, cwd: '/' }
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

function hasName(): boolean {
  try {
    return userInfo().username !== ''
  } catch {
    return false
  }
}

async function findFreeId(): Promise<number | undefined> {
  const known = new Set(
    (await readFile('/etc/passwd', 'utf8').catch(() => ''))
      .split('\n')
      .map((line) => Number(line.split(':')[2])),
  )
  const mapped = await readMappedIds()
  const free: number[] = []
  for (let id = FREE_IDS.first; id <= FREE_IDS.last; id++) if (!known.has(id) && mapped(id)) free.push(id)
  return free.length > 0 ? free[randomInt(free.length)] : undefined
}

/** Which ids there are: in the user namespace of a container it may be root's alone. */
async function readMappedIds(): Promise<(id: number) => boolean> {
  const map = await readFile('/proc/self/uid_map', 'utf8').catch(() => '0 0 4294967295')
  const ranges = map
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number])
  return (id) => ranges.some(([first, , count]) => id >= first && id < first + count)
}

/** At once: a cluster has over a thousand files, and waiting for each takes twenty times as long. */
function chownAll(path: string, uid: number, gid: number) {
  if (lstatSync(path).isDirectory()) {
    for (const name of readdirSync(path)) chownAll(join(path, name), uid, gid)
  }
  // The top comes last, so that a chown that was cut short is done again.
  lchownSync(path, uid, gid)
}
