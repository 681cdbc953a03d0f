import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import busboy from 'busboy'
import { Problem } from '../platform/problem.js'

const FIELD = 'image'
const NO_IMAGE = 'a form (multipart/form-data) must hold the picture in the field image'
export const IMAGE_MAX_BYTES = 10 * 1024 * 1024

/** A picture that came; as JSON it is its size and digest, by which one is told from another. */
export class Picture {
  constructor(readonly bytes: Buffer) {}

  toJSON() {
    const sha256 = createHash('sha256').update(this.bytes).digest('hex')
    return { [FIELD]: { size: this.bytes.length, sha256 } }
  }
}

const tooLarge = () =>
  new Problem(422, 'too_long', { key: FIELD, message: `at most ${IMAGE_MAX_BYTES} bytes` })

async function collect(file: Readable & { truncated?: boolean }): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of file as AsyncIterable<Buffer>) chunks.push(chunk)
  if (file.truncated) throw tooLarge()
  if (chunks.length === 0) throw new Problem(422, 'blank', { key: FIELD, message: NO_IMAGE })
  return Buffer.concat(chunks)
}

/** The bytes of the form field `image`; other fields are ignored. */
export function receiveImage(request: IncomingMessage): Promise<Buffer> {
  const blank = new Problem(422, 'blank', { key: FIELD, message: NO_IMAGE })
  if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) return Promise.reject(blank)
  return new Promise((resolve, reject) => {
    const broken = (error: unknown) => {
      request.unpipe()
      request.resume()
      reject(
        error instanceof Problem
          ? error
          : new Problem(422, 'invalid', { key: FIELD, message: 'the form cannot be read' }),
      )
    }
    try {
      const form = busboy({
        headers: request.headers,
        limits: { fileSize: IMAGE_MAX_BYTES, files: 1, fields: 20, parts: 30 },
      })
      let image: Promise<Buffer> | undefined
      form.on('file', (name, file) => {
        file.on('limit', () => broken(tooLarge()))
        if (name !== FIELD) return file.resume()
        image = collect(file)
        image.catch(broken)
      })
      form.on('error', broken)
      form.on('close', () => (image ? image.then(resolve, reject) : reject(blank)))
      request.on('aborted', () =>
        broken(new Problem(400, 'wrong_params', { key: 'body', message: 'was cut off' })),
      )
      request.pipe(form)
    } catch (error) {
      broken(error)
    }
  })
}
