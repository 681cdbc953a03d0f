import type { MessageFileInput } from '@parley/contract'
import { ApiFailure, call } from '../platform/api.js'
import { uploadKey, uploadName, uploadTarget } from './upload-target.js'

/** A file on its way to the server. */
export interface Upload {
  id: number
  name: string
  size: number
  /** From 0 to 1. */
  progress: number
  state: 'uploading' | 'done' | 'failed'
  /** Why it failed. */
  failure: unknown
  /** Null for one that a draft has. */
  file: File | null
  /** What goes along with the message once it is there. */
  input: MessageFileInput | null
}

/** The server takes no file of that size. */
export class TooLarge extends ApiFailure {
  constructor(readonly max_bytes: number) {
    super(413, null, null)
  }
}

/** The size of the largest file that a form takes. */
function maxBytesOf(policy: string): number {
  const { conditions } = JSON.parse(atob(policy)) as { conditions: unknown[] }
  const range = conditions.find((one) => Array.isArray(one) && one[0] === 'content-length-range')
  return range ? Number((range as unknown[])[2]) : Number.POSITIVE_INFINITY
}

export function isPicture({ type }: File): boolean {
  return type.startsWith('image/') && type !== 'image/svg+xml'
}

function typeOf(file: File): MessageFileInput['file_type'] {
  if (isPicture(file)) return 'image'
  const [kind] = file.type.split('/')
  return kind === 'video' || kind === 'audio' ? kind : 'file'
}

/** Pixels of a picture, so that its place is known before it loads. */
async function sizeOf(file: File): Promise<{ width?: number; height?: number }> {
  if (!isPicture(file)) return {}
  try {
    const bitmap = await createImageBitmap(file)
    const { width, height } = bitmap
    bitmap.close()
    return { width, height }
  } catch {
    // Not every format can be decoded here; the server measures what it can.
    return {}
  }
}

/** Storages answer a refusal with a document of S3. */
const codeOf = ({ responseXML }: XMLHttpRequest) => responseXML?.querySelector('Code')?.textContent

function post(
  url: string,
  form: FormData,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    // `fetch` reports no upload progress.
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new ApiFailure(request.status, { error: codeOf(request) }, null))
    request.onerror = () => reject(new Error('upload was cut'))
    request.onabort = () => reject(new Error('upload was given up'))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}

export async function uploadFile(
  file: File,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<MessageFileInput> {
  const [{ direct_url, ...fields }, pixels] = await Promise.all([
    call('getUploadParams', { signal }),
    sizeOf(file),
  ])
  // Before minutes are spent on sending it.
  const max_bytes = maxBytesOf(fields.policy)
  if (file.size > max_bytes) throw new TooLarge(max_bytes)
  const sent = uploadName(file.name)
  const key = uploadKey(fields.key, sent)
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, key })) form.append(name, value)
  form.append('file', file, sent)
  await post(uploadTarget(direct_url), form, onProgress, signal)
  return { key, name: sent, file_type: typeOf(file), size: file.size, ...pixels }
}
