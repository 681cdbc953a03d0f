import type { Clock, Owner } from './clock.js'

/** What one browser keeps: the database, in transactions one after the other, and local storage. */
export interface Storage {
  stores: Map<string, Map<string, unknown>>
  items: Record<string, string>
  /** Then nothing more is written. */
  full: boolean
  databaseFor(page: Owner): unknown
  localStorageFor(page: Owner): unknown
}

interface Options {
  clock: Clock
  random(): number
  /** A page has changed local storage; the others hear of it. */
  onItem(page: Owner, key: string, newValue: string | null): void
}

type Operation = (rows: Map<string, unknown>) => unknown

interface Transaction {
  page: Owner
  mode: string
  operations: { store: string; run: Operation; request: { result?: unknown } }[]
  error: Error | null
  oncomplete?: () => void
  onabort?: () => void
}

const SLOW_MS = 20

export function createStorage({ clock, random, onItem }: Options): Storage {
  const stores = new Map<string, Map<string, unknown>>()
  const items: Record<string, string> = {}
  const waiting: Transaction[] = []

  const storage: Storage = {
    stores,
    items,
    full: false,
    databaseFor: (page) => ({
      open() {
        const request = { result: database(page), onupgradeneeded() {}, onsuccess() {} }
        clock.after(random() * SLOW_MS, page, () => {
          request.onupgradeneeded()
          request.onsuccess()
        })
        return request
      },
    }),
    localStorageFor: (page) =>
      new Proxy(items, {
        get(_, name) {
          if (name === 'setItem')
            return (key: string, value: string) => {
              items[key] = value
              onItem(page, key, value)
            }
          if (name === 'removeItem')
            return (key: string) => {
              if (!(key in items)) return
              delete items[key]
              onItem(page, key, null)
            }
          return items[String(name)]
        },
      }),
  }

  function database(page: Owner) {
    return {
      objectStoreNames: { contains: (name: string) => stores.has(name) },
      createObjectStore: (name: string) => stores.set(name, new Map()),
      transaction(_: unknown, mode = 'readonly') {
        const transaction: Transaction = { page, mode, operations: [], error: null }
        waiting.push(transaction)
        if (waiting.length === 1) begin()
        return Object.assign(transaction, {
          commit() {},
          objectStore: (name: string) => objectStore(transaction, name),
        })
      },
    }
  }

  function begin() {
    clock.after(random() * SLOW_MS, null, () => {
      const transaction = waiting.shift()
      if (transaction) finish(transaction)
      if (waiting.length > 0) begin()
    })
  }

  /** A page that is gone may take what it wrote along, or may not. */
  function finish(transaction: Transaction) {
    const { page, mode, operations } = transaction
    if (page.life === 'gone' && random() < 0.5) return
    if (mode === 'readwrite' && storage.full) {
      transaction.error = new Error('the disk is full')
      clock.after(0, page, () => transaction.onabort?.())
      return
    }
    for (const { store, run, request } of operations) request.result = run(stores.get(store) as never)
    clock.after(0, page, () => transaction.oncomplete?.())
  }
  return storage
}

function objectStore({ operations }: Transaction, store: string) {
  const ask = (run: Operation) => {
    const request = {}
    operations.push({ store, run, request })
    return request
  }
  return {
    put: (value: unknown, key: string) => ask((rows) => rows.set(key, value)),
    delete: (key: string) => ask((rows) => rows.delete(key)),
    clear: () => ask((rows) => rows.clear()),
    getAll: () => ask((rows) => [...rows.values()]),
    getAllKeys: () => ask((rows) => [...rows.keys()]),
  }
}
