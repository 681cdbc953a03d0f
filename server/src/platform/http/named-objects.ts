import type { Storage } from '../storage/storage.js'

const UPLOAD = /^attaches\/files\/\d+\/[^/]+\/./
const NAMED_AT_MOST = 100

function collect(value: unknown, keys: Set<string>) {
  if (typeof value === 'string' && UPLOAD.test(value)) keys.add(value)
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) collect(inner, keys)
}

/** The uploads that a body names, with their versions: a form may send another file to a key until a message has it. */
export async function listNamedObjects(storage: Pick<Storage, 'stat'>, body: unknown): Promise<string[]> {
  const keys = new Set<string>()
  collect(body, keys)
  const named = [...keys].sort().slice(0, NAMED_AT_MOST)
  const stats = await Promise.all(named.map((key) => storage.stat(key)))
  return named.map((key, index) => `${key} ${stats[index]?.version ?? ''}`)
}
