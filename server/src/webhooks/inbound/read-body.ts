import type { IncomingHttpHeaders } from 'node:http'
import busboy from 'busboy'
import { parseJson } from '../../platform/http/read-body.js'
import { Problem } from '../../platform/problem.js'

export type InboundBody = Record<string, unknown>

export const ACCEPTED = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
const FIELDS_MAX = 1_000

function mediaOf(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** A name that comes again makes a list. */
function add(body: InboundBody, name: string, value: string) {
  const before = Object.hasOwn(body, name) ? body[name] : undefined
  const next = before === undefined ? value : [before, value].flat()
  Object.defineProperty(body, name, { value: next, enumerable: true, writable: true, configurable: true })
}

function readForm(bytes: Buffer): InboundBody {
  const body: InboundBody = {}
  const fields = [...new URLSearchParams(bytes.toString())]
  for (const [name, value] of fields.slice(0, FIELDS_MAX)) add(body, name, value)
  return body
}

/** Fields, and the names of files; what files hold is of no use to a template. */
function readMultipart(bytes: Buffer, headers: IncomingHttpHeaders): Promise<InboundBody> {
  const broken = new Problem(400, 'wrong_params', { key: 'body', message: 'is not a form' })
  return new Promise((resolve, reject) => {
    const body: InboundBody = {}
    let form: busboy.Busboy
    try {
      form = busboy({ headers, limits: { parts: FIELDS_MAX, fieldSize: bytes.length } })
    } catch {
      return reject(broken)
    }
    form.on('field', (name = '', value) => add(body, name, value))
    form.on('file', (name, stream, { filename }) => {
      stream.resume()
      add(body, name ?? '', filename ?? '')
    })
    form.on('error', () => reject(broken))
    form.on('close', () => resolve(body))
    form.end(bytes)
  })
}

/** Text as the database keeps it: without NUL and without halves of characters. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').replaceAll(/\p{Surrogate}/gu, '\ufffd')
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleaned(key), cleaned(item)]))
}

/** The object that was posted; undefined where its type is none of those accepted. */
export async function readInbound(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
): Promise<InboundBody | undefined> {
  const media = mediaOf(headers)
  if (bytes.length === 0) return undefined
  if (media === 'application/x-www-form-urlencoded') return cleaned(readForm(bytes)) as InboundBody
  if (media === 'multipart/form-data') return cleaned(await readMultipart(bytes, headers)) as InboundBody
  if (!/^application\/([\w.+-]+\+)?json$/.test(media)) return undefined
  const body = parseJson(bytes)
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Problem(400, 'invalid', { key: 'body', message: 'must be an object of JSON, or a form' })
  return cleaned(body) as InboundBody
}
