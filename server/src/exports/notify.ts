import { notifyExportJob } from '@parley/contract'
import { noticeSecretOf } from '../company/notice-secret.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { OutboundError } from '../platform/outbound/error.js'
import { wholeSeconds } from '../platform/time.js'
import { readLanguage } from '../users/language-queries.js'
import { ANSWER_WAIT_MS } from '../webhooks/attempt.js'
import { readRetryAfter, waitAfter } from '../webhooks/schedule.js'
import { sign } from '../webhooks/sign.js'
import { dayOf } from './present.js'
import { type ExportRow, findEmail, findExport } from './queries.js'

const GONE = 410

/** Stamped and signed as webhooks of bots are, with the secret of the workspace. */
async function post(ctx: Context, row: ExportRow, attempt: number) {
  const created_at = wholeSeconds(row.finished_at as Date)
  const payload = JSON.stringify({ type: 'export', event: 'ready', export_id: row.id, created_at })
  const signing = { header_names: ctx.config.signature_headers, at_ms: ctx.clock.now(), attempt }
  const notice = { event_id: `export_${row.id}`, payload }
  const { body, headers } = sign(notice, [noticeSecretOf(ctx.secret)], signing)
  const request = { url: row.webhook_url as string, method: 'POST' as const, headers, body }
  try {
    const { status, headers: answered } =
      ctx.faults.meet(ANSWER_WAIT_MS) ??
      (await ctx.outbound.request({ ...request, timeout_ms: ANSWER_WAIT_MS }))
    const retry_after_ms = readRetryAfter(answered['retry-after'], ctx.clock.now())
    return { status, retry_after_ms: status === 429 || status === 503 ? retry_after_ms : undefined }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { status: null, retry_after_ms: undefined }
  }
}

/** Posts to the webhook address of the request, with the retry schedule of bot webhooks. */
export async function notifyWebhook(ctx: Context, id: number, attempt: number) {
  const row = await findExport(ctx.db, id)
  if (!row?.webhook_url || row.state !== 'ready') return
  const { status, retry_after_ms } = await post(ctx, row, attempt)
  if (status !== null && status >= 200 && status < 300) return
  const wait_ms = status === GONE ? undefined : waitAfter(attempt, retry_after_ms)
  if (wait_ms === undefined)
    return ctx.log.warn({ export_id: id, status }, 'export webhook failed; not retried')
  const run_at = new Date(now(ctx.clock).getTime() + wait_ms)
  const payload = { export_id: id, attempt: attempt + 1 }
  await transaction(ctx, (tx) => enqueue(tx, ctx, notifyExportJob, payload, { run_at }))
}

const LETTERS = {
  en: {
    ready: (period: string, link: string) => ({
      subject: 'Your export is ready',
      text: `The messages of ${period} are ready for download for seven days:\n\n${link}\n`,
    }),
    failed: (period: string) => ({
      subject: 'Your export could not be made',
      text: `The messages of ${period} could not be exported. Please order the export again.\n`,
    }),
  },
  ru: {
    ready: (period: string, link: string) => ({
      subject: 'Ваш экспорт готов',
      text: `Сообщения за период ${period} готовы; их можно скачать в течение семи дней:\n\n${link}\n`,
    }),
    failed: (period: string) => ({
      subject: 'Экспорт не удался',
      text: `Сообщения за период ${period} экспортировать не удалось. Закажите экспорт ещё раз.\n`,
    }),
  },
}

/** Mails the requester once the export is ready or has failed. */
export async function mailRequester(ctx: Context, id: number) {
  const row = await findExport(ctx.db, id)
  if (!row || row.state === 'building') return
  const email = await findEmail(ctx.db, row.user_id)
  if (!email) return
  const period = `${dayOf(row.from_at)} – ${dayOf(new Date(row.to_at.getTime() - 1))}`
  const link = `${ctx.config.app_url}/full_exports/${id}`
  const letter = LETTERS[await readLanguage(ctx.db, row.user_id)]
  await ctx.mail.send({ to: email, ...letter[row.state === 'ready' ? 'ready' : 'failed'](period, link) })
}
