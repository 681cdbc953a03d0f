import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import type { Config } from '../../platform/config.js'
import { createOutbound } from '../../platform/outbound/outbound.js'
import { loadLibrary } from '../../platform/pictures/library.js'
import { checkAddresses } from './addresses.js'
import { checkDatabase } from './database.js'
import { type Finding, finding } from './finding.js'
import { checkKeptFiles } from './kept-files.js'
import { checkFiles, checkMail, checkRedis, checkTranscription } from './services.js'

const FREE_BYTES = 2 * 1024 ** 3
const LEAST_BYTES = 200 * 1024 ** 2

async function checkDisk({ data_dir: folder }: Config): Promise<Finding> {
  try {
    await access(folder, constants.W_OK)
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return finding(isMissing ? 'disk_missing' : 'disk_read_only', { folder })
  }
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  const values = { free_gb: Number((free / 1024 ** 3).toFixed(1)), folder }
  if (free >= FREE_BYTES) return finding('disk_free', values)
  return finding(free < LEAST_BYTES ? 'disk_full' : 'disk_low', values)
}

const LOOPBACK = ['127.0.0.0/8', '::1/128']

async function checkOutbound(config: Config): Promise<Finding> {
  const outbound = createOutbound({ allow: config.outbound_allow, allowLoopback: config.loopback_only })
  const inside = await outbound.check('http://169.254.169.254/')
  await outbound.close()
  const networks = [...(config.loopback_only ? LOOPBACK : []), ...config.outbound_allow]
  const allowed = networks.join(', ')
  if (inside.ok) return finding('outbound_link_local', { allowed })
  return allowed ? finding('outbound_listed', { allowed }) : finding('outbound_public', {})
}

async function checkPictures(): Promise<Finding> {
  const error = await loadLibrary().then(
    () => undefined,
    (reason: Error) => reason,
  )
  if (!error) return finding('pictures_work', {})
  const [reason = ''] = error.message.split('\n')
  return finding('pictures_failed', { reason, platform: `${process.platform}-${process.arch}` })
}

/** Tries everything that a server needs and that is configured, and says what to do about what is wrong. */
export async function examine(config: Config): Promise<Finding[]> {
  const services = Promise.all([
    checkRedis(config),
    checkFiles(config),
    checkMail(config),
    checkTranscription(config),
  ])
  const disk = await checkDisk(config)
  const { findings, secret, kept } = await checkDatabase(config)
  return [
    disk,
    ...findings,
    ...(await services).flat(),
    ...(await checkKeptFiles(config, kept)),
    ...(await checkAddresses(config, secret)),
    await checkOutbound(config),
    await checkPictures(),
  ]
}
