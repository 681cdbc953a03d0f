import { randomBytes } from 'node:crypto'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Client } from 'pg'
import { type Account, giveTo, isRoot } from './account.js'

// A socket's path may have 107 bytes on Linux and 103 on macOS.
const SOCKET_PATH_BYTES = 103
const PORT = 5432
const WINDOWS = process.platform === 'win32'

/** How the server reaches its database, and nobody else does. */
export interface Access {
  settings: Record<string, string>
  /** Gives the database its password, once it runs and where it has none, and returns the address to use. */
  open(): Promise<string>
  close(): Promise<void>
}

export interface Site {
  /** Where the password is, and where to look for the socket first. */
  folder: string
  /** What the account of the database can reach. */
  place: string
  cluster: string
  account: Account
}

/** Opens the way to the cluster: a socket in a private folder, or loopback where there are no sockets. */
export function openAccess(site: Site): Promise<Access> {
  return WINDOWS ? openLoopback(site.folder) : openSocket(site)
}

/** What initdb has to know. A socket asks for a password from the first start on, as soon as there is one. */
export async function authArguments(folder: string): Promise<string[]> {
  if (!WINDOWS) return ['--auth-local=trust', '--auth-host=reject']
  await writeFile(passwordFile(folder), newPassword(), { mode: 0o600 })
  return ['--auth=scram-sha-256', `--pwfile=${passwordFile(folder)}`]
}

/** The address of a database that runs on this folder; undefined where none does. */
export async function findRunning(folder: string): Promise<string | undefined> {
  try {
    const socket = join(folder, 'socket')
    const place = (await lstat(socket)).isSymbolicLink() ? await readlink(socket) : socket
    const url = urlOf(place, await readPassword(folder))
    await ask(url, 'select 1')
    return url
  } catch {
    return undefined
  }
}

async function openSocket(site: Site): Promise<Access> {
  const { folder, account } = site
  const socket = join(folder, 'socket')
  await closeSocket(socket)
  const near = join(site.place, 'socket')
  const place = fits(near) ? near : await mkdtemp(join(shortFolder(), 'parley-'))
  await mkdir(place, { recursive: true })
  // The link shows a person where the socket is, and the next start what to clean up.
  if (place !== socket) await symlink(place, socket)
  await chmod(place, 0o700)
  await giveTo(account, place)
  const password = await readPassword(folder)
  await writeRules(site, password === undefined ? 'trust' : 'scram-sha-256')
  return {
    settings: { listen_addresses: '', unix_socket_directories: place, port: `${PORT}` },
    open: async () => urlOf(place, password ?? (await givePassword(site, urlOf(place)))),
    close: () => closeSocket(socket),
  }
}

/**
 * Sets a password while only we and the account of the database can reach the socket. A start that is cut short has
 * kept no password, and the next one gives another.
 */
async function givePassword(site: Site, url: string): Promise<string> {
  const password = newPassword()
  // Nobody can guess it, so that many rounds would only make connecting slow.
  await ask(url, `set scram_iterations = 1; alter role parley password '${password}'`)
  const file = passwordFile(site.folder)
  await writeFile(`${file}.unfinished`, password, { mode: 0o600, flush: true })
  await rename(`${file}.unfinished`, file)
  await writeRules(site, 'scram-sha-256')
  await ask(url, 'select pg_reload_conf()')
  return password
}

/** Who may connect, and how; the file is ours and rewritten at every start. */
async function writeRules({ cluster, account }: Site, local: 'trust' | 'scram-sha-256'): Promise<void> {
  const file = join(cluster, 'pg_hba.conf')
  await rm(file, { force: true })
  await writeFile(file, `local all all ${local}\nhost all all all reject\n`, { mode: 0o600 })
  await giveTo(account, file)
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url.replace('/parley?', '/postgres?') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function urlOf(place: string, password?: string): string {
  const user = password === undefined ? 'parley' : `parley:${password}`
  return `postgres://${user}@/parley?host=${encodeURIComponent(place)}&port=${PORT}&sslmode=disable`
}

async function closeSocket(socket: string): Promise<void> {
  const found = await lstat(socket).catch(() => null)
  if (found?.isSymbolicLink()) {
    const place = await readlink(socket)
    if (/^(parley-.*|socket)$/.test(basename(place))) await rm(place, { recursive: true, force: true })
  }
  await rm(socket, { recursive: true, force: true })
}

/** Commas, quotes and spaces have a meaning in `unix_socket_directories`, so odd names go the way of long ones. */
function fits(place: string): boolean {
  return /^[\w./-]+$/.test(place) && Buffer.byteLength(join(place, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES
}

/** Root's own temporary folder may be closed to the account that PostgreSQL runs as. */
function shortFolder(): string {
  return !isRoot() && fits(join(tmpdir(), 'parley-XXXXXX')) ? tmpdir() : '/tmp'
}

async function openLoopback(folder: string): Promise<Access> {
  const password = await readPassword(folder)
  const port = await findFreePort()
  const url = `postgres://parley:${password}@127.0.0.1:${port}/parley?sslmode=disable`
  return {
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${port}` },
    open: async () => url,
    close: async () => {},
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

async function readPassword(folder: string): Promise<string | undefined> {
  return readFile(passwordFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

export function passwordFile(folder: string): string {
  return join(folder, 'password')
}
