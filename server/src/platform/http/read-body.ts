import type { IncomingMessage } from 'node:http'
import { Problem } from '../problem.js'

export const BODY_LIMIT_BYTES = 1024 * 1024
const BODY_LIMIT_MS = 60_000
const DEPTH_LIMIT = 64

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Deep nesting costs a stack in every walk that follows, so it is refused before the text is parsed. */
function tooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === 92) index += 1
      else if (code === 34) quoted = false
    } else if (code === 34) quoted = true
    else if (code === 123 || code === 91) {
      depth += 1
      if (depth > DEPTH_LIMIT) return true
    } else if (code === 125 || code === 93) depth -= 1
  }
  return false
}

/** NUL and lone surrogates: PostgreSQL stores neither in text nor in JSON. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** The path of the first character that cannot be stored, dotted. */
export function findUnstorable(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path
  if (typeof value !== 'object' || value === null) return undefined
  for (const key in value) {
    if (!isStorable(key)) return path
    const found = findUnstorable(value[key as keyof typeof value], path ? `${path}.${key}` : key)
    if (found !== undefined) return found
  }
  return undefined
}

/** JSON as a value; what cannot be read gives 400 and names `body`. */
export function parseJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new Problem(400, 'wrong_params', { key: 'body', message: 'is not UTF-8' })
  }
  if (tooDeep(text)) throw new Problem(400, 'wrong_params', { key: 'body', message: 'is nested too deeply' })
  try {
    // A key named __proto__ becomes an ordinary property of the parsed value and is ignored like any unknown one.
    return JSON.parse(text)
  } catch {
    throw new Problem(400, 'wrong_params', { key: 'body', message: 'is not JSON' })
  }
}

/** To parse and check more than this takes milliseconds. */
const LARGE_BYTES = 64 * 1024
let lastTurn = Promise.resolve()

/** Ends in a turn of the event loop that nobody else was given: other requests are served in between. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return lastTurn
}

/** Whether all of a body is there already, as a short one is that came with its headers. */
function hasArrived(request: IncomingMessage): boolean {
  const { complete, destroyed, headers, readableLength } = request
  return complete && !destroyed && readableLength > 0 && readableLength === Number(headers['content-length'])
}

/**
 * The raw bytes of a request, up to a limit of size and of time. What is beyond the size is read and dropped, so that
 * the answer arrives. Large bodies come one at a time.
 */
export async function readBytes(request: IncomingMessage, limit = BODY_LIMIT_BYTES): Promise<Buffer> {
  // Without the listeners and the timer of a body that is waited for.
  if (request.readableLength <= Math.min(limit, LARGE_BYTES) && hasArrived(request)) return request.read()
  return collectBytes(request, limit)
}

function collectBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise<Buffer>((resolve, reject) => {
    let chunks: Buffer[] = []
    let size = 0
    const late = setTimeout(() => request.destroy(), BODY_LIMIT_MS)
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        chunks = []
        reject(new Problem(413, 'too_long', { key: 'body', message: `at most ${limit} bytes` }))
      }
    })
    request.on('end', async () => {
      // A request that is made in this process is never closed.
      clearTimeout(late)
      if (size > LARGE_BYTES) await ownTurn()
      resolve(Buffer.concat(chunks))
    })
    request.on('error', reject)
    request.on('close', () => {
      clearTimeout(late)
      if (!request.complete) reject(new Problem(400, 'wrong_params', { key: 'body', message: 'was cut off' }))
    })
  })
}
