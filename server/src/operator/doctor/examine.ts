import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import type { Config } from '../../platform/config.js'
import { createOutbound } from '../../platform/outbound/outbound.js'
import { loadLibrary } from '../../platform/pictures/library.js'
import { checkAddresses } from './addresses.js'
import { checkDatabase } from './database.js'
import type { Finding } from './finding.js'
import { checkFiles, checkMail, checkRedis, checkTranscription } from './services.js'

const FREE_BYTES = 2 * 1024 ** 3
const LEAST_BYTES = 200 * 1024 ** 2

async function checkDisk({ data_dir }: Config): Promise<Finding> {
  const check = 'disk'
  try {
    await access(data_dir, constants.W_OK)
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const detail = missing ? `There is no folder ${data_dir}.` : `${data_dir} cannot be written to.`
    const advice = missing
      ? 'Name the data folder with --data-dir or PARLEY_DATA_DIR.'
      : 'Give this account the folder, or set PARLEY_DATA_DIR to another one.'
    return { check, state: 'failed', detail, advice }
  }
  const { bavail, bsize } = await statfs(data_dir)
  const free = bavail * bsize
  const detail = `${(free / 1024 ** 3).toFixed(1)} GB free in ${data_dir}.`
  if (free >= FREE_BYTES) return { check, state: 'ok', detail }
  const advice = 'Make room: with a full disk the database stops taking messages.'
  return { check, state: free < LEAST_BYTES ? 'failed' : 'warning', detail, advice }
}

async function checkOutbound(config: Config): Promise<Finding> {
  const outbound = createOutbound({ allow: config.outbound_allow, allowLoopback: config.loopback_only })
  const inside = await outbound.check('http://169.254.169.254/')
  await outbound.close()
  const loopback = config.loopback_only
    ? 'Loopback is allowed, since the server is reached on loopback alone.'
    : 'Loopback is refused.'
  const listed = config.outbound_allow.length ? ` Allowed besides: ${config.outbound_allow.join(', ')}.` : ''
  const detail = `Webhooks reach public addresses. ${loopback}${listed}`
  if (!inside.ok) return { check: 'outbound', state: 'ok', detail }
  const advice = 'PARLEY_OUTBOUND_ALLOW lets webhooks reach link-local addresses: narrow it.'
  return { check: 'outbound', state: 'warning', detail, advice }
}

async function checkPictures(): Promise<Finding> {
  const check = 'pictures'
  const error = await loadLibrary().then(
    () => undefined,
    (reason: Error) => reason,
  )
  if (!error) return { check, state: 'ok', detail: 'The image library is there.' }
  const detail = `The image library cannot be loaded: ${error.message.split('\n')[0]}`
  const advice = `Install the packages on this machine (${process.platform}-${process.arch}): npm ci --include=optional.`
  return { check, state: 'failed', detail, advice }
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
  const { findings, secret } = await checkDatabase(config)
  return [
    disk,
    ...findings,
    ...(await services).flat(),
    ...(await checkAddresses(config, secret)),
    await checkOutbound(config),
    await checkPictures(),
  ]
}
