import { uploadFile } from '../../composer/upload.js'

/** Small enough to be repeated without much loss, large enough that an archive of gigabytes has few. */
const PART_BYTES = 16 * 1024 * 1024
const TRIES = 3
const KEPT_AT = 'parley.import-upload'

/** What has arrived of an archive; kept on the device, so that a page that was closed goes on. */
interface Kept {
  name: string
  size: number
  modified: number
  keys: string[]
}

function readKept(file: File): string[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_AT) ?? 'null') as Kept | null
    const same = kept?.name === file.name && kept.size === file.size && kept.modified === file.lastModified
    return same ? kept.keys : []
  } catch {
    return []
  }
}

function keep({ name, size, lastModified: modified }: File, keys: string[]) {
  localStorage.setItem(KEPT_AT, JSON.stringify({ name, size, modified, keys } satisfies Kept))
}

/** The next time everything is uploaded from the start. */
export function forgetUpload() {
  localStorage.removeItem(KEPT_AT)
}

async function uploadPart(part: File, onProgress: (share: number) => void, signal: AbortSignal) {
  for (let tried = 1; ; tried += 1) {
    try {
      return (await uploadFile(part, onProgress, signal)).key
    } catch (error) {
      if (signal.aborted || tried === TRIES) throw error
    }
  }
}

/** Uploads an archive in parts and returns their keys in order. Called again for the same file, it goes on where it stopped. */
export async function uploadArchive(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const keys = readKept(file)
  const count = Math.max(1, Math.ceil(file.size / PART_BYTES))
  while (keys.length < count) {
    const done = keys.length
    const start = done * PART_BYTES
    // The name of every part is that of the archive, which is how it is shown later.
    const part = new File([file.slice(start, start + PART_BYTES)], file.name, {
      type: 'application/octet-stream',
    })
    keys.push(await uploadPart(part, (share) => onProgress((done + share) / count), signal))
    keep(file, keys)
  }
  return keys
}
