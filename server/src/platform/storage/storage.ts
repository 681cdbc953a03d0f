import type { Readable } from 'node:stream'

export interface UploadFormOptions {
  /** Where the key has to begin, for instance `attaches/files/7/<uuid>/`; the file's name follows it. */
  key_prefix: string
  max_bytes: number
  expires_in_s: number
}

/** The fields of an S3-style POST form, in the order in which they are sent, and the address to post it to. */
export interface UploadForm {
  fields: Record<string, string>
  direct_url: string
}

export interface SignedUrlOptions {
  expires_at: Date
  filename: string
  content_type?: string
  /** `inline` is granted to images, sound and video only. */
  disposition: 'attachment' | 'inline'
}

/** Both ends are included, counted from 0. */
export interface ByteRange {
  start: number
  end?: number
}

export interface ObjectStat {
  size: number
  version: string
}

export interface Storage {
  /** Kept encrypted: links to files are the download operation then. */
  readonly sealed?: boolean
  uploadForm(options: UploadFormOptions): Promise<UploadForm>
  /** `version` changes with each write of the object. */
  stat(key: string): Promise<ObjectStat | undefined>
  /** Rejects with NoSuchObject where there is none. */
  read(key: string, range?: ByteRange): Promise<Readable>
  /** Writes whole or not at all, over what is there. */
  write(key: string, data: Readable | Buffer, contentType?: string): Promise<{ size: number }>
  /** Removes what may already be gone. */
  remove(key: string): Promise<void>
  signedUrl(key: string, options: SignedUrlOptions): Promise<string>
}

export class NoSuchObject extends Error {
  readonly key: string

  constructor(key: string, options?: ErrorOptions) {
    super(`no object ${key}`, options)
    this.name = 'NoSuchObject'
    this.key = key
  }
}
