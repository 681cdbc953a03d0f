import { Readable } from 'node:stream'
import type { ListObjectsV2CommandOutput, S3Client } from '@aws-sdk/client-s3'
import type { Clock } from '../clock.js'
import { servedDisposition, servedType } from './media-type.js'
import { type PolicySigner, signPostForm } from './post-policy.js'
import { type ByteRange, NoSuchObject, type Storage } from './storage.js'

export interface S3StorageOptions {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  /** The bucket in the path, not in the host name. */
  forcePathStyle: boolean
  /** What browsers and API clients are sent to, where it is not the endpoint that the server uses. */
  publicEndpoint?: string
  clock: Clock
}

/** A store that receives uploads directly can list them afterwards. */
export interface S3Storage extends Storage {
  list(prefix: string): Promise<string[]>
  /** The keys of all objects. */
  keys(): AsyncIterable<string>
  /** Makes the bucket where there is none. One that the account may not look at is taken to be there. */
  ensureBucket(): Promise<'made' | 'there'>
}

/** The longest life of a signed link that the protocol knows. */
const MAX_LINK_S = 7 * 86_400

type Client = () => ReturnType<typeof openClient>

/** What the server itself does with objects. */
function objectsOf(
  bucket: string,
  client: Client,
): Pick<S3Storage, 'stat' | 'read' | 'write' | 'remove' | 'list' | 'keys'> {
  return {
    async stat(key) {
      const { sdk, s3 } = await client()
      try {
        const head = await s3.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: key }))
        return { size: head.ContentLength ?? 0, version: head.ETag ?? '' }
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async read(key, range) {
      const { sdk, s3 } = await client()
      try {
        const input = { Bucket: bucket, Key: key, Range: range && rangeHeader(range) }
        return (await s3.send(new sdk.GetObjectCommand(input))).Body as Readable
      } catch (error) {
        if (isMissing(error)) throw new NoSuchObject(key, { cause: error })
        throw error
      }
    },
    async write(key, data, contentType) {
      const { s3 } = await client()
      return upload(s3, { Bucket: bucket, Key: key, ContentType: contentType }, data)
    },
    async remove(key) {
      const { sdk, s3 } = await client()
      await s3.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }))
    },
    async list(prefix) {
      const { sdk, s3 } = await client()
      const found = await s3.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix }))
      return (found.Contents ?? []).flatMap(({ Key }) => Key ?? [])
    },
    async *keys() {
      const { sdk, s3 } = await client()
      for (let next: string | undefined = ''; next !== undefined; ) {
        const input = { Bucket: bucket, ...(next && { ContinuationToken: next }) }
        const page: ListObjectsV2CommandOutput = await s3.send(new sdk.ListObjectsV2Command(input))
        for (const { Key } of page.Contents ?? []) if (Key) yield Key
        next = page.NextContinuationToken
      }
    },
  }
}

async function ensureBucket(bucket: string, client: Client): Promise<'made' | 'there'> {
  const { sdk, s3 } = await client()
  try {
    await s3.send(new sdk.HeadBucketCommand({ Bucket: bucket }))
    return 'there'
  } catch (error) {
    if (statusOf(error) === 403) return 'there'
    if (!isMissing(error)) throw error
  }
  try {
    await s3.send(new sdk.CreateBucketCommand({ Bucket: bucket }))
    return 'made'
  } catch (error) {
    // Another process was faster.
    if (statusOf(error) === 409) return 'there'
    throw error
  }
}

/** Signs links for clients. A link is dated by its end and not by the present, so one to the same end is the same link. */
function linksOf(bucket: string, client: Client, clock: Clock): Pick<S3Storage, 'signedUrl'> {
  return {
    async signedUrl(key, link) {
      const { sdk, s3 } = await client()
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const command = new sdk.GetObjectCommand({
        Bucket: bucket,
        Key: key,
        ResponseContentType: servedType(link.content_type),
        ResponseContentDisposition: servedDisposition(link.disposition, link.content_type, link.filename),
      })
      const end_ms = link.expires_at.getTime()
      const signed_ms = Math.min(clock.now(), end_ms - MAX_LINK_S * 1000)
      const expiresIn = Math.min(Math.floor((end_ms - signed_ms) / 1000), MAX_LINK_S)
      return getSignedUrl(s3, command, { expiresIn, signingDate: new Date(signed_ms) })
    },
  }
}

/** Keeps objects in an S3-compatible store; clients upload to it and download from it directly. */
export function createS3Storage(options: S3StorageOptions): S3Storage {
  const { bucket, clock } = options
  const publicEndpoint = options.publicEndpoint ?? options.endpoint
  const signer: PolicySigner = {
    access_key_id: options.accessKeyId,
    secret: options.secretAccessKey,
    region: options.region,
    bucket,
  }
  const client = once(() => openClient(options, options.endpoint))
  const publicClient = once(() => openClient(options, publicEndpoint))
  return {
    ...objectsOf(bucket, client),
    ...linksOf(bucket, publicClient, clock),
    ensureBucket: () => ensureBucket(bucket, client),
    async uploadForm(form) {
      const direct_url = bucketUrl(publicEndpoint, bucket, options.forcePathStyle)
      return { fields: signPostForm(signer, form, clock.now()), direct_url }
    },
  }
}

/** The client is large; it is loaded when the first object is touched. */
async function openClient(options: S3StorageOptions, endpoint: string) {
  const sdk = await import('@aws-sdk/client-s3')
  const s3 = new sdk.S3Client({
    endpoint,
    region: options.region,
    forcePathStyle: options.forcePathStyle,
    credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey },
    // Most compatible stores do not know the checksums that the client would add by itself.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return { sdk, s3 }
}

async function upload(
  client: S3Client,
  target: { Bucket: string; Key: string; ContentType?: string },
  data: Readable | Buffer,
): Promise<{ size: number }> {
  const { Upload } = await import('@aws-sdk/lib-storage')
  let size = 0
  async function* counted() {
    for await (const chunk of Buffer.isBuffer(data) ? [data] : data) {
      size += chunk.length
      yield chunk
    }
  }
  const body = Readable.from(counted(), { objectMode: false })
  await new Upload({ client, queueSize: 1, params: { ...target, Body: body } }).done()
  return { size }
}

function bucketUrl(endpoint: string, bucket: string, forcePathStyle: boolean): string {
  const url = new URL(endpoint)
  if (forcePathStyle) url.pathname = `${url.pathname.replace(/\/+$/, '')}/${bucket}`
  else url.hostname = `${bucket}.${url.hostname}`
  return url.href
}

function rangeHeader({ start, end }: ByteRange) {
  return `bytes=${start}-${end ?? ''}`
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode
}

function isMissing(error: unknown) {
  const { name } = error as { name?: string }
  return name === 'NoSuchKey' || name === 'NotFound' || statusOf(error) === 404
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
