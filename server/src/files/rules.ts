import type { Actor } from '../platform/actor.js'
import { isInside } from '../platform/address-range.js'
import { ALLOW, deny, refuse, type Verdict } from '../platform/problem.js'
import type { FileFor, FileRow } from './queries.js'

const KEY = /^attaches\/files\/(\d+)\/[\da-f-]{36}\/[^/]+$/

/** A key holds the id of the uploader. */
export function isOwnKey(actor: Actor, key: string): boolean {
  return Number(KEY.exec(key)?.[1]) === actor.user_id
}

/** Those who can read the message, and the author of the draft, may have the file. */
export function mayReadFile(file: FileFor): Verdict {
  return file.readable ? ALLOW : refuse('file.read')
}

/** While there is a perimeter, what was sent from inside it goes to addresses inside alone. */
export function mayDownload(file: FileFor, ip_address: string | null): Verdict {
  const open = !file.protected || file.perimeter.length === 0
  return open || isInside(file.perimeter, ip_address)
    ? ALLOW
    : deny('confidential_download_denied', 'file.perimeter')
}

/** A voice that has no transcript yet. What the secure perimeter protects gets none: readers outside would read what they may not hear. */
export function mayBeTranscribed(file: Pick<FileRow, 'file_type' | 'transcript' | 'protected'>): boolean {
  return file.file_type === 'voice' && file.transcript === null && !file.protected
}
