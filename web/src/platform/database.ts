import {
  beginWrite,
  endWrite,
  forgetAllWrites,
  forgetWrites,
  onWritesLeft,
  readWrites,
  refuseWrite,
  type Write,
} from './unconfirmed.js'

/** The browser's own database: what must outlive a reload. Everything in it goes when the person signs out. */

const NAME = 'parley'
const VERSION = 2
const STORES = ['outbox', 'drafts', 'copy'] as const
export type StoreName = (typeof STORES)[number]

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= openDatabase().then(writeAgain)
  return opened
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION)
    request.onupgradeneeded = () => {
      for (const store of STORES)
        if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store)
    }
    request.onsuccess = () => {
      // A newer version of the client in another tab waits for this one to let go.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}

function put(rows: IDBObjectStore, key: string, value: unknown) {
  if (value === undefined) rows.delete(key)
  else rows.put(value, key)
}

const isKnown = ({ store }: Write) => (STORES as readonly string[]).includes(store)

/** Writes what former pages were left with unconfirmed. */
async function writeAgain(database: IDBDatabase): Promise<IDBDatabase> {
  try {
    // Another build may have left something for a store that this one does not have.
    const writes = new Map([...readWrites()].filter(([, write]) => isKnown(write)))
    if (writes.size === 0) return database
    const transaction = database.transaction(STORES, 'readwrite')
    for (const { store, key, value } of writes.values()) put(transaction.objectStore(store), key, value)
    await finished(transaction)
    forgetWrites(new Set(writes.keys()))
  } catch {
    // The disk is full: the database is opened all the same.
  }
  return database
}

/** Called when something is written that another tab was closed with. */
export function onLateWrites(listener: () => void) {
  onWritesLeft(
    () =>
      void open()
        .then(writeAgain)
        .then(listener, () => {}),
  )
}

async function ask<T>(
  store: StoreName,
  mode: IDBTransactionMode,
  question: (store: IDBObjectStore) => T,
): Promise<T> {
  const transaction = (await open()).transaction(store, mode)
  const asked = question(transaction.objectStore(store))
  // Else a page that is being left would take the writing along.
  if (mode === 'readwrite') transaction.commit()
  await finished(transaction)
  return asked
}

export async function readAll<T>(store: StoreName): Promise<T[]> {
  return [...(await readEntries(store)).values()] as T[]
}

/** Everything with its key, from one transaction, and what the database has refused to take. */
export async function readEntries(store: StoreName): Promise<Map<string, unknown>> {
  const entries = await readRows(store)
  for (const { store: of, key, value } of readWrites().values()) {
    if (of !== store) continue
    if (value === undefined) entries.delete(key)
    else entries.set(key, value)
  }
  return entries
}

async function readRows(store: StoreName): Promise<Map<string, unknown>> {
  const [keys, values] = await ask(
    store,
    'readonly',
    (rows) => [rows.getAllKeys(), rows.getAll()] as [IDBRequest<IDBValidKey[]>, IDBRequest<unknown[]>],
  )
  return new Map(keys.result.map((key, index) => [String(key), values.result[index]]))
}

/** Not lost either when the page is left before the browser has done it, or when the disk is full. */
async function writeOne(one: Write & { store: StoreName }): Promise<void> {
  beginWrite(one)
  try {
    await ask(one.store, 'readwrite', (rows) => put(rows, one.key, one.value))
  } catch (error) {
    if (!refuseWrite(one)) throw error
    return
  }
  endWrite(one)
}

export function write(store: StoreName, key: string, value: unknown): Promise<void> {
  return writeOne({ store, key, value })
}

export function remove(store: StoreName, key: string): Promise<void> {
  return writeOne({ store, key })
}

/** All or none; `undefined` takes a key out. */
export async function writeMany(store: StoreName, values: ReadonlyMap<string, unknown>): Promise<void> {
  await ask(store, 'readwrite', (rows) => {
    for (const [key, value] of values) put(rows, key, value)
  })
}

export async function clearStore(store: StoreName): Promise<void> {
  await ask(store, 'readwrite', (rows) => rows.clear())
}

export async function clearDatabase(): Promise<void> {
  forgetAllWrites()
  for (const store of STORES) await clearStore(store)
}
