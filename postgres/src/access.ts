import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Account, giveTo } from './programs.js'

// A socket's path may have 107 bytes on Linux and 103 on macOS.
const SOCKET_PATH_BYTES = 103
const PORT = 5432

/** How the server reaches its database, and nobody else does. */
export interface Access {
  url: string
  settings: Record<string, string>
  close(): Promise<void>
}

/** Opens the way to the cluster: a socket in a private folder, or a password on loopback where there are no sockets. */
export function openAccess(folder: string, account: Account): Promise<Access> {
  return process.platform === 'win32' ? openLoopback(folder) : openSocket(folder, account)
}

/** What initdb has to know: whoever reaches the private socket is trusted, whoever comes over loopback is not. */
export async function authArguments(folder: string): Promise<string[]> {
  if (process.platform !== 'win32') return ['--auth-local=trust', '--auth-host=reject']
  await writeFile(passwordFile(folder), randomBytes(24).toString('hex'), { mode: 0o600 })
  return ['--auth=scram-sha-256', `--pwfile=${passwordFile(folder)}`]
}

async function openSocket(folder: string, account: Account): Promise<Access> {
  const socket = join(folder, 'socket')
  await closeSocket(socket)
  const short = fits(socket)
  const place = short ? socket : await mkdtemp(join(shortFolder(), 'parley-'))
  if (short) await mkdir(socket)
  // The link tells a person where the socket is, and the next start what to clean up.
  else await symlink(place, socket)
  await chmod(place, 0o700)
  await giveTo(account, place)
  return {
    url: `postgres://parley@/parley?host=${encodeURIComponent(place)}&port=${PORT}&sslmode=disable`,
    settings: { listen_addresses: '', unix_socket_directories: place, port: `${PORT}` },
    close: () => closeSocket(socket),
  }
}

async function closeSocket(socket: string): Promise<void> {
  const found = await lstat(socket).catch(() => null)
  if (found?.isSymbolicLink()) {
    const place = await readlink(socket)
    if (basename(place).startsWith('parley-')) await rm(place, { recursive: true, force: true })
  }
  await rm(socket, { recursive: true, force: true })
}

/** Commas, quotes and spaces have a meaning in `unix_socket_directories`, so odd names go the way of long ones. */
function fits(place: string): boolean {
  return /^[\w./-]+$/.test(place) && Buffer.byteLength(join(place, `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES
}

/** Root's own temporary folder may be closed to the account that PostgreSQL runs as. */
function shortFolder(): string {
  return process.getuid?.() !== 0 && fits(join(tmpdir(), 'parley-XXXXXX')) ? tmpdir() : '/tmp'
}

async function openLoopback(folder: string): Promise<Access> {
  const password = await readFile(passwordFile(folder), 'utf8')
  const port = await findFreePort()
  return {
    url: `postgres://parley:${password}@127.0.0.1:${port}/parley?sslmode=disable`,
    settings: { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${port}` },
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

function passwordFile(folder: string): string {
  return join(folder, 'password')
}
