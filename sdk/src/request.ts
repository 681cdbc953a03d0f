import type { Call, CallOptions } from './call.js'
import { fillPath, writeQuery } from './wire.js'

type Input = Record<string, unknown>

function pathOf(path: string, input: Input): string {
  const missing = [...path.matchAll(/\{(\w+)\}/g)].find(([, name = '']) => input[name] === undefined)
  if (missing) throw new TypeError(`${missing[1]} is missing: it is part of ${path}`)
  return fillPath(path, input)
}

function formOf(fields: Input): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.set(name, value)
    else if (value !== undefined) form.set(name, String(value))
  }
  return form
}

type Encoded = { headers: Record<string, string>; body: string | URLSearchParams | FormData | undefined }

function bodyOf(media: string, fields: Input): Encoded {
  if (media === 'multipart/form-data') return { headers: {}, body: formOf(fields) }
  if (media === 'application/json')
    return { headers: { 'Content-Type': media }, body: JSON.stringify(fields) }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return { headers: {}, body: new URLSearchParams(given as [string, string][]) }
}

/** Sorts the one input object of a method into path, query and body. */
export function requestOf(call: Call, input: Input, options: CallOptions): Encoded & { path: string } {
  const inPath = new Set([...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const inQuery = new Set(call.query ?? [])
  const rest = Object.entries(input).filter(([name]) => !inPath.has(name))
  const query = Object.fromEntries(rest.filter(([name]) => inQuery.has(name) || !call.body))
  const fields = Object.fromEntries(rest.filter(([name]) => !inQuery.has(name)))
  const nothing: Encoded = { headers: {}, body: undefined }
  const { headers, body } = call.body ? bodyOf(call.body, fields) : nothing
  if (call.keyed) headers['Idempotency-Key'] = options.idempotency_key ?? crypto.randomUUID()
  return { path: pathOf(call.path, input) + writeQuery(query), headers, body }
}
