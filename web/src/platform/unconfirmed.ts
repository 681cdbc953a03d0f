/**
 * Writes that the browser's database has refused, or not confirmed when the page is left and the browser may abort them.
 * They go to local storage, which takes them at once; another tab or the next page writes them again.
 */

export interface Write {
  store: string
  key: string
  /** Absent where the key is removed. */
  value?: unknown
}

const PREFIX = 'parley-write:'
const unconfirmed = new Map<string, Write>()
let isLeaving = false

const nameOf = ({ store, key }: Write) => `${PREFIX}${store}:${key}`

/** Undefined for what no text can hold: a file. */
function textOf(write: Write): string | undefined {
  let holdsFile = false
  const text = JSON.stringify(write, (_, part) => {
    holdsFile ||= part instanceof Blob
    return part
  })
  return holdsFile ? undefined : text
}

/** False where it is full or switched off, or cannot hold the value: the database alone has to do. */
function persist(write: Write): boolean {
  const text = textOf(write)
  try {
    if (text !== undefined) localStorage.setItem(nameOf(write), text)
    return text !== undefined
  } catch {
    return false
  }
}

/** Nothing where local storage is switched off. */
function listKept(): [name: string, text: string][] {
  try {
    return Object.entries<string>(localStorage).filter(([name]) => name.startsWith(PREFIX))
  } catch {
    return []
  }
}

export function beginWrite(write: Write) {
  unconfirmed.set(nameOf(write), write)
  if (isLeaving) persist(write)
}

/** The database has it. An older copy that another page left must not replace it. */
export function endWrite(write: Write) {
  const name = nameOf(write)
  if (unconfirmed.get(name) !== write) return
  unconfirmed.delete(name)
  removeItems([name])
}

/** The database has refused it, as where the disk is full. False where local storage does not take it either. */
export function refuseWrite(write: Write): boolean {
  const name = nameOf(write)
  if (unconfirmed.get(name) !== write) return true
  unconfirmed.delete(name)
  return persist(write)
}

function parse(text: string): Write | undefined {
  try {
    return JSON.parse(text) as Write
  } catch {
    // Another build has left it.
    return undefined
  }
}

/** What was left for the database, each with the text that it is kept as. */
export function readWrites(): Map<string, Write> {
  const read = listKept().map(([, text]): [string, Write | undefined] => [text, parse(text)])
  return new Map(read.filter((one): one is [string, Write] => one[1] !== undefined))
}

/** The database has them now. Where something else was left under a name meanwhile, that stays. */
export function forgetWrites(texts: ReadonlySet<string>) {
  removeItems(listKept().flatMap(([name, text]) => (texts.has(text) ? [name] : [])))
}

/** Nothing of them is written down any more. */
export function forgetAllWrites() {
  unconfirmed.clear()
  removeItems(listKept().map(([name]) => name))
}

function removeItems(names: readonly string[]) {
  try {
    for (const name of names) localStorage.removeItem(name)
  } catch {
    // Switched off: then nothing was kept either.
  }
}

/** Called when another page has left something. */
export function onWritesLeft(listener: () => void) {
  addEventListener('storage', ({ key, newValue }) => {
    if (key?.startsWith(PREFIX) && newValue !== null) listener()
  })
}

if (typeof addEventListener === 'function') {
  // Before other listeners, which may write something last.
  const onHide = () => {
    isLeaving = true
    for (const write of unconfirmed.values()) persist(write)
  }
  addEventListener('pagehide', onHide, { capture: true })
  addEventListener('pageshow', () => {
    isLeaving = false
  })
}
