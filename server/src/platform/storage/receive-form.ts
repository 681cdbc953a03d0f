import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import type { ObjectFiles, Part } from './object-files.js'
import type { PolicyVerdict } from './post-policy.js'

/** The error codes of S3 that a form can meet here. */
export type UploadErrorCode =
  | 'AccessDenied'
  | 'EntityTooLarge'
  | 'EntityTooSmall'
  | 'InvalidArgument'
  | 'KeyTooLongError'
  | 'MalformedPOSTRequest'
  | 'QuotaExceeded'

export interface UploadOutcome {
  status: 204 | 400 | 403
  /** Why it was refused, as S3 calls it. */
  code?: UploadErrorCode
  message?: string
  /** Where the file now is, after a 204. */
  key?: string
}

/** Why the owner of the storage does not take a file. */
export interface UploadRefusal {
  code: UploadErrorCode
  message: string
}

/** What the owner of the storage says of a file whose form is in order: a reason against it, or nothing. */
export interface UploadRules {
  /** Before the first byte of the file is read. */
  mayBegin?: (key: string) => Promise<UploadRefusal | undefined>
  /** When the file has come; what is there stays where there is a reason against it. */
  mayKeep?: (key: string, size: number) => Promise<UploadRefusal | undefined>
}

type Judge = (fields: ReadonlyMap<string, string>) => PolicyVerdict

class Refusal extends Error {
  constructor(
    readonly status: 400 | 403,
    message: string,
    readonly code: UploadErrorCode = status === 403 ? 'AccessDenied' : 'MalformedPOSTRequest',
  ) {
    super(message)
  }
}

const MAX_KEY_CHARACTERS = 1_000
const NAME_PLACE = '${filename}'
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
export const BAD_NAME = /^\.{0,2}$|[/\\\u0000-\u001f\u007f-\u009f\u2028\u2029]/

/**
 * Reads an S3-style POST form as a stream and keeps its file. The fields come first; what follows the file is
 * ignored. Nothing is kept unless the whole form arrived and its policy allows it.
 */
export async function receiveForm(
  files: ObjectFiles,
  judge: Judge,
  headers: IncomingHttpHeaders,
  body: Readable,
  rules: UploadRules,
): Promise<UploadOutcome> {
  let received: Received | undefined
  try {
    received = await readForm(files, judge, headers, body, rules)
    refuseFor(await rules.mayKeep?.(received.key, received.part.size))
    await received.part.keep(received.contentType)
    return { status: 204, key: received.key }
  } catch (error) {
    await received?.part.drop()
    if (error instanceof Refusal) return { status: error.status, code: error.code, message: error.message }
    throw error
  }
}

function refuseFor(reason: UploadRefusal | undefined) {
  if (reason) throw new Refusal(403, reason.message, reason.code)
}

interface Received {
  key: string
  part: Part
  contentType: string
}

function readForm(
  files: ObjectFiles,
  judge: Judge,
  headers: IncomingHttpHeaders,
  body: Readable,
  rules: UploadRules,
): Promise<Received> {
  const form = openForm(headers)
  const fields = new Map<string, string>()
  let receiving: Promise<Received> | undefined
  let stopped = false

  return new Promise((fulfil, reject) => {
    const stop = async (error: unknown) => {
      if (stopped) return
      stopped = true
      body.unpipe(form)
      form.destroy()
      // A file that was already whole when the rest of the form broke is not kept.
      await receiving?.then(({ part }) => part.drop()).catch(() => {})
      reject(asRefusal(error))
    }
    const finish = () => {
      if (stopped) return
      stopped = true
      if (receiving) receiving.then(fulfil, reject)
      else reject(new Refusal(400, 'the form has no file: its last field is file, with a file name'))
    }

    form.on('field', (name, value) => {
      if (!receiving) fields.set(name.toLowerCase(), value)
    })
    form.on('file', (name, stream, info) => {
      // The reader of the stream handles its errors; before that nothing listens.
      stream.on('error', () => {})
      if (receiving || name !== 'file') return stream.resume()
      receiving = receiveFile(files, judge, fields, stream, info, rules)
      receiving.catch(stop)
    })
    form.on('error', stop)
    form.on('close', finish)
    body.on('error', stop)
    body.on('close', () => {
      if (!body.readableEnded) stop(new Refusal(400, 'the form is cut off'))
    })
    body.pipe(form)
  })
}

function openForm(headers: IncomingHttpHeaders) {
  if (!/^multipart\/form-data\s*;/i.test(headers['content-type'] ?? '')) {
    throw new Refusal(400, 'the content type is not multipart/form-data')
  }
  const limits = { fields: 50, fieldSize: 65_536, parts: 100 }
  try {
    return busboy({ headers, limits, defParamCharset: 'utf8', preservePath: true })
  } catch (error) {
    throw asRefusal(error)
  }
}

async function receiveFile(
  files: ObjectFiles,
  judge: Judge,
  fields: Map<string, string>,
  stream: Readable,
  info: busboy.FileInfo,
  rules: UploadRules,
): Promise<Received> {
  const key = (fields.get('key') ?? '').replace(NAME_PLACE, () => info.filename ?? '')
  const verdict = judge(new Map(fields).set('key', key))
  if (!verdict.ok) throw new Refusal(403, verdict.reason)
  refuseBadName(key, verdict.key_prefix)
  refuseFor(await rules.mayBegin?.(key))

  const part = await files.receive(key, upTo(verdict.max_bytes, stream))
  if (part.size >= verdict.min_bytes) return { key, part, contentType: info.mimeType }
  await part.drop()
  throw new Refusal(400, `the file is smaller than ${verdict.min_bytes} bytes`, 'EntityTooSmall')
}

function refuseBadName(key: string, key_prefix: string) {
  const name = key.slice(key_prefix.length)
  if (BAD_NAME.test(name))
    throw new Refusal(400, 'the file name is empty or has characters that are not allowed', 'InvalidArgument')
  if (key.length > MAX_KEY_CHARACTERS) {
    const message = `the key has more than ${MAX_KEY_CHARACTERS} characters`
    throw new Refusal(400, message, 'KeyTooLongError')
  }
}

async function* upTo(max_bytes: number, stream: Readable): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > max_bytes)
      throw new Refusal(400, `the file is larger than ${max_bytes} bytes`, 'EntityTooLarge')
    yield chunk
  }
}

/** Errors of the parser and the network are the sender's fault; errors of the disk are not. */
function asRefusal(error: unknown): unknown {
  if (error instanceof Refusal) return error
  const code = (error as NodeJS.ErrnoException).code
  const ours = code !== undefined && code !== 'ECONNRESET' && !code.startsWith('ERR_STREAM')
  return ours ? error : new Refusal(400, (error as Error).message)
}
