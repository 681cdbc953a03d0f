import { pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import Pick from 'stream-json/filters/Pick.js'
import StreamArray from 'stream-json/streamers/StreamArray.js'
import type { Archive } from './archive/archive.js'

/** What is smaller is read at once, which is ten times as fast. */
const AT_ONCE = 32 * 1024 * 1024

export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null
}

/** A text that shows something. */
export function filled(value: unknown): string | null {
  const text = asText(value)?.trim()
  return text ? text : null
}

export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function asObjects(value: unknown): JsonObject[] {
  return asList(value).filter(isObject)
}

/** Ids of people and chats in a list; other things are left out. */
export function asIds(value: unknown): string[] {
  return asList(value).flatMap((id) => filled(id) ?? [])
}

/** The objects of a JSON array in an entry, one at a time. Damaged JSON throws. */
export async function* readArray(archive: Archive, name: string): AsyncIterable<unknown> {
  const entry = archive.entries.get(name)
  if (!entry) return
  const stream = await archive.open(name)
  if (entry.size <= AT_ONCE) {
    const value: unknown = JSON.parse(await text(stream))
    if (!Array.isArray(value)) throw new SyntaxError('is no list')
    yield* value
    return
  }
  // The callback is called with what ended the streams; the loop throws the same.
  const items = pipeline(stream, StreamArray.withParser(), () => {})
  for await (const { value } of items as AsyncIterable<{ value: unknown }>) yield value
}

/** The objects of an array that is a member of the object in an entry, one at a time. */
export async function* readMember(archive: Archive, name: string, member: string): AsyncIterable<JsonObject> {
  const entry = archive.entries.get(name)
  if (!entry) return
  const stream = await archive.open(name)
  if (entry.size <= AT_ONCE) {
    const value: unknown = JSON.parse(await text(stream))
    yield* asObjects(asObject(value)[member])
    return
  }
  // The callback is called with what ended the streams; the loop throws the same.
  const items = pipeline(stream, Pick.withParser({ filter: member }), StreamArray.streamArray(), () => {})
  for await (const { value } of items as AsyncIterable<{ value: unknown }>) if (isObject(value)) yield value
}
