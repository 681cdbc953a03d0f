import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Clock } from '../clock.js'
import { type DownloadQuery, judgeLink, signLink } from './download-link.js'
import { createObjectFiles, type ObjectFiles } from './object-files.js'
import { judgePostForm, type PolicySigner, signPostForm } from './post-policy.js'
import { receiveForm, type UploadOutcome, type UploadRules } from './receive-form.js'
import { type Conditions, type ServedObject, serveObject } from './serve-object.js'
import { NoSuchObject, type Storage } from './storage.js'

export interface DiskStorageOptions {
  folder: string
  /** Where objects are kept; plainly in the folder where it says nothing else. */
  files?: ObjectFiles
  /** Signs upload forms and download links; anyone who has it may read and write everything. */
  secret: Buffer
  /** The origin under which `UPLOAD_PATH` and `DOWNLOAD_PATH` are served. */
  publicUrl: string
  clock: Clock
}

export interface DownloadRequest extends Conditions {
  /** What follows `DOWNLOAD_PATH` in the address, decoded. */
  key: string
  query: DownloadQuery
}

export interface DiskStorage extends Storage {
  /** Takes the multipart body of a POST to `UPLOAD_PATH`; what it left unread is to be thrown away. */
  acceptUpload(headers: IncomingHttpHeaders, body: Readable, rules?: UploadRules): Promise<UploadOutcome>
  /** Answers a GET or HEAD below `DOWNLOAD_PATH`. */
  serveDownload(request: DownloadRequest): Promise<ServedObject>
  /** Removes what crashes left half-written; to be called now and then. */
  removeStaleParts(): Promise<void>
}

export const UPLOAD_PATH = '/storage/uploads'
export const DOWNLOAD_PATH = '/storage/objects/'

/** Keeps objects in a folder of this machine, and is its own S3-style endpoint for forms and links. */
export function createDiskStorage(options: DiskStorageOptions): DiskStorage {
  const { clock, secret } = options
  // Asked for each time: a server that lets the system choose its port learns it late.
  const origin = () => options.publicUrl.replace(/\/+$/, '')
  const files = options.files ?? createObjectFiles(options.folder)
  const signer: PolicySigner = { access_key_id: 'disk', region: 'local', secret }

  return {
    async uploadForm(form) {
      return { fields: signPostForm(signer, form, clock.now()), direct_url: origin() + UPLOAD_PATH }
    },
    stat: (key) => files.find(key),
    async read(key, range) {
      const file = await files.open(key)
      if (!file) throw new NoSuchObject(key)
      return file.stream(range)
    },
    async write(key, data, contentType) {
      const part = await files.receive(key, Buffer.isBuffer(data) ? Readable.from([data]) : data)
      await part.keep(contentType)
      return { size: part.size }
    },
    remove: (key) => files.remove(key),
    async signedUrl(key, link) {
      const path = key.split('/').map(encodeURIComponent).join('/')
      return `${origin()}${DOWNLOAD_PATH}${path}?${signLink(secret, key, link)}`
    },
    acceptUpload(headers, body, rules = {}) {
      const judge = (fields: ReadonlyMap<string, string>) => judgePostForm(signer, fields, clock.now())
      return receiveForm(files, judge, headers, body, rules)
    },
    async serveDownload({ key, query, ...conditions }) {
      const link = judgeLink(secret, key, query, clock.now())
      if (!link.ok) return { status: 403, headers: {} }
      return serveObject(files, key, link, conditions, clock.now())
    },
    removeStaleParts: () => files.removeStaleParts(),
  }
}
