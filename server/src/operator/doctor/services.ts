import { randomUUID } from 'node:crypto'
import { filesFolder } from '../../open-context.js'
import { systemClock } from '../../platform/clock.js'
import type { Config } from '../../platform/config.js'
import { verifySmtp } from '../../platform/mail/smtp.js'
import { pingRedis } from '../../platform/rates/redis.js'
import { openStorage } from '../../platform/storage/open.js'
import { type Finding, finding, PATIENCE_MS, reasonOf, within } from './finding.js'

const hostOf = (url: string) => new URL(url).host

/** Tries Redis, where it is set. */
export async function checkRedis({ redis_url }: Config): Promise<Finding[]> {
  if (!redis_url) return []
  const host = hostOf(redis_url)
  try {
    await within(pingRedis(redis_url))
    return [finding('redis_answers', { host })]
  } catch (error) {
    return [finding('redis_failed', { host, reason: reasonOf(error) })]
  }
}

/** Connects, encrypts and signs in to the mail server, where one is set; sends nothing. */
export async function checkMail({ smtp_url }: Config): Promise<Finding[]> {
  if (!smtp_url) return [finding('mail_kept', {})]
  const host = hostOf(smtp_url)
  try {
    await within(verifySmtp(smtp_url))
    return [finding('mail_taken', { host })]
  } catch (error) {
    return [finding('mail_failed', { host, reason: reasonOf(error) })]
  }
}

/** Asks the transcription server for nothing: any answer but a refusal of the key shows that it is there. */
export async function checkTranscription({ transcribe_url, transcribe_key }: Config): Promise<Finding[]> {
  if (!transcribe_url) return []
  const host = hostOf(transcribe_url)
  const headers: Record<string, string> = transcribe_key ? { Authorization: `Bearer ${transcribe_key}` } : {}
  try {
    const { status } = await fetch(transcribe_url, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    if (status !== 401 && status !== 403 && status < 500) return [finding('transcription_answers', { host })]
    return [finding('transcription_refused', { host, status })]
  } catch (error) {
    return [finding('transcription_failed', { host, reason: reasonOf(error) })]
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
  const where = { bucket: String(config.s3_bucket), host: hostOf(config.s3_endpoint) }
  const storage = openStorage(config, filesFolder(config), Buffer.alloc(0), systemClock)
  const [key, text] = [`doctor/${randomUUID()}`, 'parley doctor']
  try {
    await within(storage.write(key, Buffer.from(text), 'text/plain'))
    const read = await within(storage.read(key).then(readAll))
    if (read !== text) throw new Error('what was read is not what was written')
    const broken = await checkLink(storage, key, text)
    if (broken) return [broken]
    const [object = ''] = (await linkTo(storage, key)).split('?', 1)
    return [finding('files_stored', where), await checkOrigin(config, object)]
  } catch (error) {
    return [finding('files_failed', { ...where, reason: reasonOf(error) })]
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
  const { origin } = new URL(app_url)
  const headers = { Origin: origin, 'Access-Control-Request-Method': 'POST' }
  const asked = { method: 'OPTIONS', headers, signal: AbortSignal.timeout(PATIENCE_MS) }
  const answer = await fetch(object, asked).catch(() => null)
  const allowed = answer?.headers.get('access-control-allow-origin')
  const isAllowed = allowed === '*' || allowed === origin
  return finding(isAllowed ? 'uploads_allowed' : 'uploads_refused', { host: hostOf(object), origin })
}

/** Clients download from the public endpoint by themselves; undefined where that works. */
async function checkLink(
  storage: ReturnType<typeof openStorage>,
  key: string,
  text: string,
): Promise<Finding | undefined> {
  const url = await linkTo(storage, key)
  const host = hostOf(url)
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
    if ((await answer.text()) === text) return undefined
    return finding('files_link_refused', { host, status: answer.status })
  } catch (error) {
    return finding('files_link_failed', { host, reason: reasonOf(error) })
  }
}
