import type { BodyOf, postInboundWebhook, TemplateTrial, tryTemplate } from '@parley/contract'
import { loadEditable } from '../../bots/load.js'
import { updateLastRequest } from '../../bots/webhook-queries.js'
import { CONTENT_BYTES } from '../../messages/check-content.js'
import type { Actor } from '../../platform/actor.js'
import { now } from '../../platform/clock.js'
import type { Context } from '../../platform/context.js'
import { transaction } from '../../platform/db/transaction.js'
import { bucketsFor, takeRate } from '../../platform/http/admit.js'
import { rateHeaders } from '../../platform/http/rate-headers.js'
import { readBytes } from '../../platform/http/read-body.js'
import type { Call } from '../../platform/http/route.js'
import { found, Problem } from '../../platform/problem.js'
import { gitlabText } from './gitlab.js'
import { grafanaText } from './grafana.js'
import { leaveToPost } from './post.js'
import { countChats, findBotByKey, type InboundBot } from './queries.js'
import { ACCEPTED, type InboundBody, readInbound } from './read-body.js'
import { createRenderer, type Renderer } from './render.js'

async function remember(
  ctx: Context,
  bot: InboundBot,
  body: InboundBody,
  post: Parameters<typeof leaveToPost>[2] | null,
) {
  await transaction(ctx, async (tx) => {
    await updateLastRequest(tx, bot.user_id, body, now(ctx.clock))
    if (post) await leaveToPost(tx, ctx, post)
  })
}

/** `message` is ours; `text` is what senders for other messengers post. */
function plainText({ message, text }: InboundBody): string {
  const given = [message, text].find((value) => ['string', 'number', 'boolean'].includes(typeof value))
  return given === undefined ? '' : String(given)
}

const TEXT_HINTS: Record<string, string> = {
  gitlab: 'nothing is told of this kind of GitLab event',
  grafana: 'the body is no alert of Grafana',
}

/** The answer to a sender: the text and the number of chats that get it, or why there are none. */
function outcomeOf(bot: InboundBot, content: string, chats: number) {
  const bytes = Buffer.byteLength(content)
  if (content.trim() === '') {
    const plain = bot.template === '' ? 'send a field "text" or "message"' : 'the template gave an empty text'
    return { posted: null, reason: TEXT_HINTS[bot.kind ?? ''] ?? plain }
  }
  if (bytes > CONTENT_BYTES)
    return { posted: null, reason: `the text has ${bytes} bytes, at most ${CONTENT_BYTES} are posted` }
  if (chats === 0) return { posted: null, reason: 'the bot is in no conversation or channel: add it to one' }
  return { posted: { text: content, chats } }
}

/** A bot that nobody made takes turns by itself. */
function ownerOf({ user_id, creator_id }: Pick<InboundBot, 'user_id' | 'creator_id'>) {
  return { bot_id: user_id, creator_id: creator_id ?? -user_id }
}

async function textOf(renderer: Renderer, bot: InboundBot, body: InboundBody, event: string | undefined) {
  if (bot.kind === 'gitlab') return gitlabText(body, event) ?? ''
  if (bot.kind === 'grafana') return grafanaText(body) ?? ''
  if (bot.template === '') return plainText(body)
  const engine = bot.template_engine as 'liquid' | 'mustache'
  const rendered = await renderer.render(ownerOf(bot), { engine, template: bot.template, body })
  return 'text' in rendered ? rendered.text : `Template error: ${rendered.error}`
}

/** Takes what others post to the addresses of bots. */
export function createInbound() {
  const renderer = createRenderer()

  async function receive({ ctx, params, request, reply }: Call<typeof postInboundWebhook>) {
    const key = params.webhook_key
    rateHeaders(
      reply,
      await takeRate(ctx, bucketsFor('inbound-webhook', { address: request.ip, webhook: key })),
    )
    const bot = found(await findBotByKey(ctx.db, key), { key: 'webhook_key' })
    if (bot.suspended)
      throw new Problem(403, 'access_denied', { rule: 'person.active', message: 'The bot is suspended' })
    const body = await readInbound(await readBytes(request.raw), request.headers)
    if (!body) {
      reply
        .status(415)
        .type('text/plain; charset=utf-8')
        .send(`Accepted: ${ACCEPTED.join(', ')}\n`)
      return {}
    }
    const { challenge_key } = bot
    if (challenge_key !== '' && Object.hasOwn(body, challenge_key)) {
      await remember(ctx, bot, body, null)
      return { [challenge_key]: body[challenge_key] }
    }
    const event = request.headers['x-gitlab-event']
    const content = (await textOf(renderer, bot, body, [event].flat()[0])).replaceAll('\0', '')
    const post = {
      bot_id: bot.user_id,
      content,
      link_preview: bot.link_preview_enabled,
      ip_address: request.ip,
      user_agent: request.headers['user-agent']?.slice(0, 255) ?? null,
    }
    const outcome = outcomeOf(bot, content, await countChats(ctx.db, bot.user_id))
    await remember(ctx, bot, body, outcome.posted ? post : null)
    return outcome
  }

  /** What the template would make of a body. */
  async function tryOut(
    ctx: Context,
    actor: Actor,
    botId: number,
    { template, template_engine, body }: BodyOf<typeof tryTemplate>,
  ): Promise<TemplateTrial> {
    const { row } = await loadEditable(ctx.db, actor, botId, 'try_template')
    if (template === '') return { text: plainText(body) || null, error: null }
    const rendered = await renderer.render(ownerOf(row), { engine: template_engine, template, body })
    if ('error' in rendered) return { text: null, error: rendered.error }
    return { text: rendered.text.replaceAll('\0', '') || null, error: null }
  }

  return { receive, tryOut, forget: () => renderer.forget(), close: () => renderer.close() }
}
