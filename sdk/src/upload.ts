import { send } from './attempt.js'
import { connectionOf, type Parley } from './connect.js'
import type { MessageFileInput } from './generated/types.js'

export interface NewFile {
  /** With its extension. */
  name: string
  content: Blob | Uint8Array | string
  /** What people see: a picture, a player or a file. From the extension when absent. */
  file_type?: MessageFileInput['file_type']
}

const KINDS: [MessageFileInput['file_type'], RegExp][] = [
  ['image', /\.(png|jpe?g|gif|webp|avif|heic|bmp)$/i],
  ['video', /\.(mp4|webm|mov|m4v)$/i],
  ['audio', /\.(mp3|m4a|ogg|opus|wav|flac)$/i],
]

function kindOf(name: string): MessageFileInput['file_type'] {
  return KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'file'
}

function blobOf(content: NewFile['content']): Blob {
  return content instanceof Blob ? content : new Blob([content as Uint8Array<ArrayBuffer> | string])
}

/** Uploads a file and gives what `files` of a message wants. */
export async function upload(parley: Parley, file: NewFile): Promise<MessageFileInput> {
  const { direct_url, ...fields } = await parley.files.getUploadParams()
  const content = blobOf(file.content)
  // A form escapes quotes in the name of a file, so that the storage would keep it under another key.
  const key = fields.key.replace('${filename}', () => file.name)
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, key })) form.set(name, value)
  // The file comes last: storages read no field behind it.
  form.set('file', content, file.name)
  const { retries, timeout_ms } = connectionOf(parley).options
  // The same form stores the same object again, so that it may be repeated.
  await send(
    { url: direct_url, method: 'POST', headers: {}, body: form, repeatable: true, timeout_ms },
    retries,
  )
  return { key, name: file.name, file_type: file.file_type ?? kindOf(file.name), size: content.size }
}
