/** The browser's own database: what must outlive a reload. Everything in it goes when the person signs out. */

const NAME = 'parley'
const VERSION = 1
const STORES = ['outbox', 'drafts'] as const
type StoreName = (typeof STORES)[number]

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, VERSION)
    request.onupgradeneeded = () => {
      for (const store of STORES)
        if (!request.result.objectStoreNames.contains(store)) request.result.createObjectStore(store)
    }
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

async function ask<T>(
  store: StoreName,
  mode: IDBTransactionMode,
  question: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  const transaction = (await open()).transaction(store, mode)
  const request = question(transaction.objectStore(store))
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result)
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}

export function readAll<T>(store: StoreName): Promise<T[]> {
  return ask(store, 'readonly', (rows) => rows.getAll())
}

export async function write(store: StoreName, key: string, value: unknown): Promise<void> {
  await ask(store, 'readwrite', (rows) => rows.put(value, key))
}

export async function remove(store: StoreName, key: string): Promise<void> {
  await ask(store, 'readwrite', (rows) => rows.delete(key))
}

export async function clearDatabase(): Promise<void> {
  for (const store of STORES) await ask(store, 'readwrite', (rows) => rows.clear())
}
