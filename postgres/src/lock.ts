import { randomUUID } from 'node:crypto'
import { link, open, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const BEAT_MS = 1_500
const WATCH_MS = 6_000

/** A folder that this process alone uses until it releases it or dies. */
export interface FolderLock {
  release(): Promise<void>
}

interface Holder {
  token: string
  pid: number
  /** When the process started, in the kernel's own count; null where the kernel does not report it. */
  started: string | null
  /** The boot and process namespace in which `pid` means something. */
  place: string
  host: string
}

/** Takes the folder for this process, or refuses in one line when another live server has it. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = join(folder, 'server.lock')
  const me = await describeMyself()
  const draft = `${file}.${me.token}.draft`
  await writeDraft(draft, me)
  try {
    while (!(await tryLink(draft, file))) {
      const holder = await readHolder(file)
      if (holder?.token === me.token) break
      if (!holder) continue
      if (await isAlive(file, holder)) throw refusal(folder, holder)
      await seize(folder, file, draft, holder)
    }
  } finally {
    await rm(draft, { force: true })
  }

  // Only a server in another container or on another host, which cannot see our pid, looks at the beat.
  const beat = setInterval(() => utimes(file, new Date(), new Date()).catch(() => {}), BEAT_MS).unref()
  return {
    async release() {
      clearInterval(beat)
      if ((await readHolder(file))?.token === me.token) await rm(file)
    },
  }
}

/**
 * Replaces a dead holder's lock. Of those who find it dead at once one wins: the claim on a dead token is a name that
 * can be made only once, and it goes away only after the lock itself has changed, which each claimant looks at again.
 */
async function seize(folder: string, file: string, draft: string, dead: Holder): Promise<void> {
  const claims: string[] = []
  for (let last = dead; ; ) {
    const claim = `${file}.${last.token}.claim`
    claims.push(claim)
    if (await tryLink(draft, claim)) break
    const claimant = await readHolder(claim)
    if (!claimant) return
    if (await isAlive(claim, claimant)) throw refusal(folder, claimant)
    last = claimant
  }
  if ((await readHolder(file))?.token !== dead.token) return rm(claims.at(-1)!)
  await link(draft, `${draft}.ready`)
  await rename(`${draft}.ready`, file)
  for (const claim of claims) await rm(claim)
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

async function isAlive(file: string, holder: Holder): Promise<boolean> {
  if (holder.place !== (await readPlace())) return isBeating(file)
  if (!isProcess(holder.pid)) return false
  if (holder.started === null) return isBeating(file)
  return holder.started === (await readStart(holder.pid))
}

/** Watches whether someone touches the file, by its own clock: ours may be set differently. */
async function isBeating(file: string): Promise<boolean> {
  const first = await readBeat(file)
  for (const until = Date.now() + WATCH_MS; Date.now() < until; ) {
    await delay(200)
    const now = await readBeat(file)
    if (now !== first) return now !== undefined
  }
  return false
}

function readBeat(file: string): Promise<number | undefined> {
  return stat(file).then(
    (found) => found.mtimeMs,
    () => undefined,
  )
}

async function describeMyself(): Promise<Holder> {
  return {
    token: randomUUID(),
    pid: process.pid,
    started: await readStart(process.pid),
    place: await readPlace(),
    host: hostname(),
  }
}

/** Field 22 of /proc/PID/stat: with it, a pid that was given to another process is not taken for the old one. */
async function readStart(pid: number): Promise<string | null> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ')
  // A zombie has been killed and only waits for its parent to notice.
  return fields && fields[0] !== 'Z' ? (fields[19] ?? null) : null
}

async function readPlace(): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function writeDraft(file: string, holder: Holder): Promise<void> {
  const handle = await open(file, 'wx', 0o644)
  try {
    await handle.writeFile(`${JSON.stringify(holder)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Cut short by a full disk or a power cut: nobody we could find alive.
    return { token: 'unreadable', pid: 0, started: '', place: await readPlace(), host: '' }
  }
}

function refusal(folder: string, holder: Holder): Error {
  return new Error(
    `Another server (process ${holder.pid} on ${holder.host}) is using ${folder}: stop it, or choose another data folder.`,
  )
}
