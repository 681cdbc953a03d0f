import { type ApiErrorItem, extractLinks, type LinkPreview } from '@parley/contract'
import { checkFiles } from '../files/check-files.js'
import { findMessage } from '../messages/queries.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK, firstCharacters, NO_ITEMS } from '../platform/http/fault-text.js'
import { ensure, found, Problem, problemItem } from '../platform/problem.js'
import { domainOf } from '../webhooks/links.js'
import { type NewPreview, replacePreviews } from './actions.js'
import { lockFreshMessage } from './queries.js'
import { findUnfurler } from './unfurl-queries.js'
import { mayUnfurl } from './unfurl-rules.js'

type Previews = Record<string, LinkPreview>

const TITLE_MAX = 300
const DESCRIPTION_MAX = 1000

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function faultsOf(url: string, preview: LinkPreview, links: readonly string[], domains: readonly string[]) {
  const key = `link_previews.${url}`
  const faults: ApiErrorItem[] = []
  if (!links.includes(url) || domainOf(url, domains) === undefined)
    faults.push(
      problemItem('invalid', {
        key,
        value: url,
        message: 'must be a link of the message, of a domain of this bot',
      }),
    )
  if (preview.title.trim() === '') faults.push(problemItem('blank', { key: `${key}.title`, message: BLANK }))
  const { image_url } = preview
  if (image_url !== undefined && !isWebAddress(image_url))
    faults.push(
      problemItem('invalid', {
        key: `${key}.image_url`,
        value: image_url,
        message: 'must begin with http:// or https://',
      }),
    )
  return faults
}

async function imageKeyOf(ctx: Context, actor: Actor, { image }: LinkPreview): Promise<string | null> {
  if (!image) return null
  const [file] = await checkFiles(ctx, actor, [{ key: image.key, name: image.name }])
  return file?.key ?? null
}

async function newPreview(
  ctx: Context,
  actor: Actor,
  url: string,
  preview: LinkPreview,
): Promise<NewPreview> {
  const image_key = await imageKeyOf(ctx, actor, preview)
  return {
    url,
    title: firstCharacters(preview.title, TITLE_MAX),
    description: firstCharacters(preview.description, DESCRIPTION_MAX),
    image_url: image_key === null ? (preview.image_url ?? null) : null,
    image_key,
  }
}

/** Gives links of a message the previews that a bot made of them, in the order of the text; all or none. */
export async function unfurl(ctx: Context, actor: Actor, messageId: number, previews: Previews) {
  const bot = await findUnfurler(ctx.db, actor.user_id)
  // First, so that other bots do not learn which messages there are.
  ensure(mayUnfurl(bot), 'unfurl', { type: 'Message', id: messageId })
  const message = found(await findMessage(ctx.db, messageId), { key: 'id', value: messageId })
  const given = Object.entries(previews)
  if (given.length === 0) throw new Problem(422, 'blank', { key: 'link_previews', message: NO_ITEMS })
  const links = extractLinks(message.content)
  const domains = bot?.unfurl_domains ?? []
  const faults = given.flatMap(([url, preview]) => faultsOf(url, preview, links, domains))
  if (faults.length > 0) throw Problem.of(422, faults)

  const inOrder = given.sort(([a], [b]) => links.indexOf(a) - links.indexOf(b))
  const made = await Promise.all(inOrder.map(([url, preview]) => newPreview(ctx, actor, url, preview)))
  await transaction(ctx, async (tx) => {
    // An edit in the meantime removed the previews.
    const fresh = await lockFreshMessage(tx, messageId)
    if (fresh) await replacePreviews(tx, ctx, actor, fresh, made)
  })
}
