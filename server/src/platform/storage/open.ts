import { createHmac } from 'node:crypto'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'
import { createDiskStorage } from './disk.js'
import type { Storage } from './storage.js'

/** The storage that the configuration names: a folder of this machine. */
export function openStorage(config: Config, folder: string, secret: Buffer, clock: Clock): Storage {
  return createDiskStorage({
    folder,
    secret: createHmac('sha256', secret).update('storage').digest(),
    get publicUrl() {
      return config.public_url
    },
    clock,
  })
}
