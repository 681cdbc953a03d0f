/**
 * Writes to the browser's database that are not confirmed when the page is left. The browser may abort them, so they go
 * to local storage, which takes them at once; the next page writes them again.
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

function persist(write: Write) {
  const text = textOf(write)
  try {
    if (text !== undefined) localStorage.setItem(nameOf(write), text)
  } catch {
    // It is full or switched off: the database alone has to do.
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

/** The database has it, or refused it. An older copy that another page left must not replace it. */
export function endWrite(write: Write) {
  const name = nameOf(write)
  if (unconfirmed.get(name) !== write) return
  unconfirmed.delete(name)
  forgetWrites([name])
}

/** What former pages left, by the name to forget it with. */
export function readWrites(): Map<string, Write> {
  return new Map(listKept().map(([name, text]) => [name, JSON.parse(text) as Write]))
}

export function forgetWrites(names = listKept().map(([name]) => name)) {
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
    unconfirmed.forEach(persist)
  }
  addEventListener('pagehide', onHide, { capture: true })
  addEventListener('pageshow', () => {
    isLeaving = false
  })
}
