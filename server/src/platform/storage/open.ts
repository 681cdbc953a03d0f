import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { createDiskStorage } from './disk.js'
import type { Storage } from './storage.js'

/** The storage that the configuration names: a folder of this machine. */
export function openStorage(config: Config, secret: Buffer, clock: Clock): Storage {
  return createDiskStorage({
    folder: join(config.data_dir, 'files'),
    secret: createHmac('sha256', secret).update('storage').digest(),
    get publicUrl() {
      return config.public_url
    },
    clock,
  })
}
