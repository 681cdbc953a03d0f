import { deserialize, ObjectId, onDemand } from 'bson'
import { filled, type JsonObject } from '../json.js'
import { timeOfUnits } from '../times.js'

const HEAD = 4

/** The named fields of a document, without parsing the others; null where it is damaged. */
export function pick(bytes: Buffer, fields: ReadonlySet<string>): JsonObject | null {
  try {
    const parts: Uint8Array[] = [Buffer.alloc(HEAD)]
    for (const [, nameAt, nameLength, at, length] of onDemand.parseToElements(bytes))
      if (fields.has(bytes.toString('utf8', nameAt, nameAt + nameLength)))
        // The byte before the name is the type.
        parts.push(bytes.subarray(nameAt - 1, at + length))
    parts.push(Buffer.alloc(1))
    const picked = Buffer.concat(parts)
    picked.writeInt32LE(picked.length, 0)
    return deserialize(picked, { validation: { utf8: false } })
  } catch {
    return null
  }
}

/** How many bytes a binary field holds: before them stand their length and a type. */
export function binarySize(bytes: Buffer, field: string): number {
  for (const [, nameAt, nameLength, , length] of onDemand.parseToElements(bytes))
    if (bytes.toString('utf8', nameAt, nameAt + nameLength) === field) return Math.max(0, length - 5)
  return 0
}

/** An id: a text, or in some collections an ObjectId. */
export function idOf(value: unknown): string | null {
  return value instanceof ObjectId ? value.toHexString() : filled(value)
}

/** A date in microseconds; null where it is none. */
export function timeOf(value: unknown): number | null {
  return value instanceof Date ? timeOfUnits(value.getTime(), 1000) : null
}
