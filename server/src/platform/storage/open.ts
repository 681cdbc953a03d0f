import { createHmac } from 'node:crypto'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { ConfigError } from '../config-readers.js'
import type { Log } from '../log.js'
import { prepareBucket } from './bucket.js'
import { createDiskStorage } from './disk.js'
import { createObjectFiles, type ObjectFiles } from './object-files.js'
import { createS3Storage, type S3Storage } from './s3.js'
import { sealingKey } from './seal.js'
import { type SealedFiles, sealFiles } from './sealed-files.js'
import type { Storage } from './storage.js'
import { createStoreFiles } from './store-files.js'

function openS3(config: Config, clock: Clock): S3Storage {
  const { s3_endpoint, s3_bucket, s3_access_key_id, s3_secret_access_key } = config
  if (!s3_endpoint || !s3_bucket || !s3_access_key_id || !s3_secret_access_key) {
    throw new ConfigError(
      'An S3 store needs all of PARLEY_S3_ENDPOINT, PARLEY_S3_BUCKET, PARLEY_S3_ACCESS_KEY_ID and PARLEY_S3_SECRET_ACCESS_KEY.',
    )
  }
  return createS3Storage({
    endpoint: s3_endpoint,
    publicEndpoint: config.s3_public_endpoint ?? s3_endpoint,
    region: config.s3_region,
    bucket: s3_bucket,
    accessKeyId: s3_access_key_id,
    secretAccessKey: s3_secret_access_key,
    forcePathStyle: true,
    clock,
  })
}

interface Place {
  config: Config
  folder: string
  secret: Buffer
  clock: Clock
}

/** This server takes uploads and gives downloads itself, wherever the objects are kept. */
function openOwn({ config, folder, secret, clock }: Place, files?: ObjectFiles): Storage {
  return createDiskStorage({
    folder,
    ...(files && { files }),
    secret: createHmac('sha256', secret).update('storage').digest(),
    get publicUrl() {
      return config.public_url
    },
    clock,
  })
}

const isS3 = (config: Config) =>
  [config.s3_endpoint, config.s3_bucket, config.s3_access_key_id, config.s3_secret_access_key].some(Boolean)

/** The objects of the configuration, encrypted under its keys. */
export function openSealed(config: Config, folder: string, clock: Clock): SealedFiles {
  const stored = isS3(config) ? createStoreFiles(openS3(config, clock), folder) : createObjectFiles(folder)
  return sealFiles(stored, config.files_keys.map(sealingKey))
}

/** The storage that the configuration names: an S3-compatible store, or a folder of this machine. */
export function openStorage(config: Config, folder: string, secret: Buffer, clock: Clock): Storage {
  const place = { config, folder, secret, clock }
  if (config.files_keys.length > 0 || config.files_key_lost)
    return { ...openOwn(place, openSealed(config, folder, clock)), sealed: true }
  return isS3(config) ? openS3(config, clock) : openOwn(place)
}

/** Makes the bucket of a store that has none yet, beside what the server does meanwhile. */
export function openBucket(config: Config, clock: Clock, log: Log) {
  return isS3(config) ? prepareBucket(openS3(config, clock), log) : undefined
}
