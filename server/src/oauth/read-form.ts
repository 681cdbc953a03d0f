import type { FastifyRequest } from 'fastify'
import { parseJson, readBytes } from '../platform/http/read-body.js'
import { OAuthProblem } from '../platform/problem.js'

export type Form = ReadonlyMap<string, string>

const invalid = (description: string) => new OAuthProblem(400, 'invalid_request', description)

/** A field given twice is one too many; what a NUL would do in the database is not tried. */
function collect(entries: Iterable<[string, unknown]>): Form {
  const form = new Map<string, string>()
  for (const [name, value] of entries) {
    if (typeof value !== 'string' || value.includes('\0')) throw invalid(`${name} is not a text`)
    if (form.has(name)) throw invalid(`${name} is given twice`)
    form.set(name, value)
  }
  return form
}

function readJson(bytes: Buffer): Form {
  let body: unknown
  try {
    body = parseJson(bytes)
  } catch {
    throw invalid('The body is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('The body is no object')
  return collect(Object.entries(body).filter(([, value]) => value !== null))
}

/** The fields of a sign-in request: form-encoded, or JSON for clients that send nothing else. */
export async function readForm(request: FastifyRequest): Promise<Form> {
  const bytes = await readBytes(request.raw)
  const type = request.headers['content-type'] ?? ''
  if (/^application\/json\b/i.test(type)) return readJson(bytes)
  if (bytes.length > 0 && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw invalid('The body must be form-encoded')
  return collect(new URLSearchParams(bytes.toString('utf8')))
}

/** A field that must be there. */
export function required(form: Form, name: string): string {
  const value = form.get(name)
  if (!value) throw invalid(`${name} is missing`)
  return value
}

/** Client id and secret, from the fields or from the Basic header, whose parts are form-encoded (RFC 6749, 2.3.1). */
export function credentialsOf(form: Form, header: string | undefined) {
  const basic = /^Basic +([\w+/=-]+)$/i.exec(header ?? '')?.[1]
  if (!basic) return { client_id: form.get('client_id'), client_secret: form.get('client_secret') }
  const [id = '', ...rest] = Buffer.from(basic, 'base64').toString('utf8').split(':')
  return { client_id: decoded(id), client_secret: decoded(rest.join(':')) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')).replaceAll('\0', '')
  } catch {
    return ''
  }
}
