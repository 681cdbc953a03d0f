// What must be true of the files and processes of a server while it is attacked.
import { execFile } from 'node:child_process'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OTHERS = { read: 0o004, pass: 0o001 }

/** Says which process has the folder, and no more. */
const PUBLIC = 'server.lock'

/** Whatever other accounts of the machine can read below a folder; they get no further than a folder lets them pass. */
async function exposed(path) {
  const { mode } = await lstat(path)
  const found = mode & OTHERS.read ? [path] : []
  if (!(mode & OTHERS.pass)) return found
  const names = await readdir(path).catch(() => [])
  for (const name of names) {
    const inner = join(path, name)
    const info = await lstat(inner).catch(() => undefined)
    if (info?.isDirectory()) found.push(...(await exposed(inner)))
    else if (info?.isFile() && info.mode & OTHERS.read && name !== PUBLIC) found.push(inner)
  }
  return found
}

async function processes() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const all = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const field = (name) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1]
      return {
        pid: Number(pid),
        name: field('Name'),
        parent: Number(field('PPid')),
        uid: Number(field('Uid')),
      }
    }),
  )
  return all.filter(({ name }) => name)
}

/** Processes that a process started, and those that they started. */
async function below(pid) {
  const all = await processes()
  const found = []
  for (let parents = [pid]; parents.length > 0; ) {
    const next = all.filter(({ parent }) => parents.includes(parent))
    found.push(...next)
    parents = next.map((child) => child.pid)
  }
  return found
}

function runTest(file) {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--test', join(ROOT, 'server/dist', file)], (error, stdout) => {
      resolve(error ? `${file} fails: ${/^not ok .*$/m.exec(stdout)?.[0] ?? error.message}` : null)
    })
  })
}

/** Each is looked at while the attacks run, and says what is wrong, or null. */
export function statesOf({ pid, folder, postmaster }) {
  return {
    'folders and files': {
      must: 'no other account of the machine reads any',
      async check() {
        const found = await exposed(folder)
        return found.length > 0 ? `others can read ${found.slice(0, 3).join(', ')}` : null
      },
    },
    'account of the database': {
      must: 'no process of PostgreSQL runs as root',
      async check() {
        const database = [
          ...(await below(pid)),
          ...(await processes()).filter((one) => one.pid === postmaster),
        ]
        const named = database.filter(({ name }) => name === 'postgres')
        if (named.length === 0) return 'no process of PostgreSQL was found'
        return named.some(({ uid }) => uid === 0) ? 'PostgreSQL runs as root' : null
      },
    },
    lockfile: {
      must: 'it has every platform of every native package',
      check: () => runTest('lockfile.test.js'),
    },
    container: { must: 'it has no more rights than it needs', check: () => runTest('container.test.js') },
  }
}
