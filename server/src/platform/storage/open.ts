import { createHmac } from 'node:crypto'
import type { Clock } from '../clock.js'
import { type Config, ConfigError } from '../config.js'
import { createDiskStorage } from './disk.js'
import { createS3Storage } from './s3.js'
import type { Storage } from './storage.js'

function openS3(config: Config, clock: Clock): Storage {
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

/** The storage that the configuration names: an S3-compatible store, or a folder of this machine. */
export function openStorage(config: Config, folder: string, secret: Buffer, clock: Clock): Storage {
  if (config.s3_endpoint || config.s3_bucket || config.s3_access_key_id || config.s3_secret_access_key)
    return openS3(config, clock)
  return createDiskStorage({
    folder,
    secret: createHmac('sha256', secret).update('storage').digest(),
    get publicUrl() {
      return config.public_url
    },
    clock,
  })
}
