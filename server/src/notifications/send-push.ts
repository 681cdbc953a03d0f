import type { Push } from '@parley/contract'
import webPush from 'web-push'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { OutboundError } from '../platform/outbound/error.js'
import { pushKeysOf } from './push-keys.js'
import { deleteSubscription, noteSent } from './subscription-queries.js'

const TIMEOUT_MS = 10_000
const ANSWER_BYTES = 4096
/** How long a push service keeps a push for a device that is off. */
const KEPT_S = 24 * 60 * 60

export interface PushTarget {
  id: number
  endpoint: string
  p256dh: string
  auth: string
}

export interface PushAnswer {
  status: number | null
  accepted: boolean
  error: string | null
}

/** Whom push services may write to about this server; they ask for an https or a mailto address. */
function subjectOf({ config }: Pick<Context, 'config'>): string {
  if (config.app_url.startsWith('https:')) return config.app_url
  return `mailto:${/[^<>\s]+@[^<>\s]+/.exec(config.mail_from)?.[0] ?? 'parley@localhost.localdomain'}`
}

function compose(ctx: Context, target: PushTarget, push: Push) {
  const { endpoint, p256dh, auth } = target
  return webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(push), {
    vapidDetails: { subject: subjectOf(ctx), ...pushKeysOf(ctx.secret) },
    TTL: KEPT_S,
    urgency: push.type === 'close' || push.type === 'close_notices' ? 'low' : 'high',
    // A later push about the chat takes the place of one that waits at the push service.
    ...('chat_id' in push && { topic: `chat-${push.chat_id}` }),
  })
}

/** Sends one push and says what became of it. A subscription that is gone is deleted. */
export async function sendPush(ctx: Context, target: PushTarget, push: Push): Promise<PushAnswer> {
  const { headers, body } = compose(ctx, target, push)
  const { 'Content-Length': _, ...named } = headers as Record<string, unknown>
  try {
    const { status } = await ctx.outbound_public.request({
      url: target.endpoint,
      method: 'POST',
      headers: Object.fromEntries(Object.entries(named).map(([name, value]) => [name, String(value)])),
      body: body as Buffer,
      timeout_ms: TIMEOUT_MS,
      max_bytes: ANSWER_BYTES,
    })
    if (status === 404 || status === 410) await deleteSubscription(ctx.autocommit, target.id)
    const accepted = status >= 200 && status < 300
    if (accepted) await noteSent(ctx.autocommit, target.id, now(ctx.clock))
    return { status, accepted, error: null }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { status: null, accepted: false, error: error.message }
  }
}
