import { randomUUID } from 'node:crypto'
import { filesFolder } from '../../open-context.js'
import { systemClock } from '../../platform/clock.js'
import type { Config } from '../../platform/config.js'
import { verifySmtp } from '../../platform/mail/smtp.js'
import { pingRedis } from '../../platform/rates/redis.js'
import { openStorage } from '../../platform/storage/open.js'
import { type Finding, PATIENCE_MS, reasonOf, within } from './finding.js'

const hostOf = (url: string) => new URL(url).host

/** Tries Redis, where it is set. */
export async function checkRedis({ redis_url }: Config): Promise<Finding[]> {
  if (!redis_url) return []
  const check = 'redis'
  try {
    await within(pingRedis(redis_url))
    return [{ check, state: 'ok', detail: `${hostOf(redis_url)} answers.` }]
  } catch (error) {
    const detail = `${hostOf(redis_url)} does not answer: ${reasonOf(error)}`
    const advice = 'Check REDIS_URL; until it answers, each process counts rates by itself.'
    return [{ check, state: 'failed', detail, advice }]
  }
}

/** Connects, encrypts and signs in to the mail server, where one is set; sends nothing. */
export async function checkMail({ smtp_url }: Config): Promise<Finding[]> {
  const check = 'mail'
  if (!smtp_url) {
    const detail = 'No mail server is set: mail is written to outbox/ in the data folder.'
    return [{ check, state: 'ok', detail }]
  }
  try {
    await within(verifySmtp(smtp_url))
    return [{ check, state: 'ok', detail: `${hostOf(smtp_url)} takes mail from this server.` }]
  } catch (error) {
    const detail = `${hostOf(smtp_url)} does not take mail: ${reasonOf(error)}`
    return [{ check, state: 'failed', detail, advice: 'Check PARLEY_SMTP_URL: host, port, user, password.' }]
  }
}

/** Asks the transcription server for nothing: any answer but a refusal of the key shows that it is there. */
export async function checkTranscription({ transcribe_url, transcribe_key }: Config): Promise<Finding[]> {
  if (!transcribe_url) return []
  const check = 'transcription'
  const host = hostOf(transcribe_url)
  const advice =
    'Check PARLEY_TRANSCRIBE_URL and PARLEY_TRANSCRIBE_KEY; voice messages stay without transcripts.'
  const headers: Record<string, string> = transcribe_key ? { Authorization: `Bearer ${transcribe_key}` } : {}
  try {
    const { status } = await fetch(transcribe_url, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (status !== 401 && status !== 403 && status < 500)
      return [{ check, state: 'ok', detail: `${host} answers.` }]
    return [{ check, state: 'failed', detail: `${host} answers ${status}.`, advice }]
  } catch (error) {
    return [{ check, state: 'failed', detail: `${host} does not answer: ${reasonOf(error)}`, advice }]
  }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Writes, reads, links to and deletes an object of the S3 store, where one is set. */
export async function checkFiles(config: Config): Promise<Finding[]> {
  if (!config.s3_endpoint) return []
  const check = 'files'
  const where = `Bucket ${config.s3_bucket} on ${hostOf(config.s3_endpoint)}`
  const storage = openStorage(config, filesFolder(config), Buffer.alloc(0), systemClock)
  const [key, text] = [`doctor/${randomUUID()}`, 'parley doctor']
  try {
    await within(storage.write(key, Buffer.from(text), 'text/plain'))
    const read = await within(storage.read(key).then(readAll))
    if (read !== text) throw new Error('what was read is not what was written')
    const link = await checkLink(storage, key, text)
    if (link) return [{ check, ...link }]
    const [object = ''] = (await linkTo(storage, key)).split('?', 1)
    return [
      { check, state: 'ok', detail: `${where}: written, read, linked to and deleted.` },
      await checkOrigin(config, object),
    ]
  } catch (error) {
    const detail = `${where} cannot be used: ${reasonOf(error)}`
    const advice = 'Check the PARLEY_S3_ settings, and that the key may write, read and delete there.'
    return [{ check, state: 'failed', detail, advice }]
  } finally {
    await within(storage.remove(key)).catch(() => {})
  }
}

function linkTo(storage: ReturnType<typeof openStorage>, key: string): Promise<string> {
  const expires_at = new Date(Date.now() + 60_000)
  return storage.signedUrl(key, { expires_at, filename: 'doctor.txt', disposition: 'attachment' })
}

/** Browsers upload to the store by themselves, if its CORS rules let the web client. */
async function checkOrigin({ app_url }: Config, object: string): Promise<Finding> {
  const check = 'uploads'
  const { origin } = new URL(app_url)
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' }
  const asked = { method: 'OPTIONS', headers, signal: AbortSignal.timeout(PATIENCE_MS) }
  const answer = await fetch(object, asked).catch(() => null)
  const allowed = answer?.headers.get('access-control-allow-origin')
  if (allowed === '*' || allowed === origin)
    return { check, state: 'ok', detail: `${hostOf(object)} lets browsers on ${origin} upload.` }
  const detail = `${hostOf(object)} does not let browsers on ${origin} upload.`
  const advice = `Allow POST and GET from ${origin} in the CORS rules of the bucket.`
  return { check, state: 'warning', detail, advice }
}

/** Clients download from the public endpoint by themselves; undefined where that works. */
async function checkLink(
  storage: ReturnType<typeof openStorage>,
  key: string,
  text: string,
): Promise<Omit<Finding, 'check'> | undefined> {
  const url = await linkTo(storage, key)
  const advice = 'Clients download from this address: check PARLEY_S3_PUBLIC_ENDPOINT.'
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
    if ((await answer.text()) === text) return undefined
    return { state: 'failed', detail: `A link to ${hostOf(url)} answers ${answer.status}.`, advice }
  } catch (error) {
    return { state: 'failed', detail: `${hostOf(url)} cannot be reached: ${reasonOf(error)}`, advice }
  }
}
