import {
  type BotCreateResponse,
  createBot,
  deleteBot,
  getBot,
  issueBotToken,
  listBotScopes,
  listBots,
  listBotTokens,
  listCompanyBots,
  reissueBotToken,
  revokeBotToken,
  rotateBotToken,
  rotateInboundUrl,
  rotateOwnToken,
  rotateSigningSecret,
  setOwnWebhook,
  updateBot,
  updateBotToken,
} from '@parley/contract'
import { noteIgnored } from '../platform/http/ignored.js'
import { pageResult, readPaging } from '../platform/http/page.js'
import { type Api, route } from '../platform/http/route.js'
import { listCompanyBotsFor } from './company-list.js'
import { createBotOf, reshapeNewBot } from './create.js'
import { deleteBotForGood } from './delete.js'
import { loadEditable, loadManaged } from './load.js'
import { presentBot, presentBotToken, presentOwn } from './present.js'
import { findBotFor, listBotsFor, listBotTokens as listTokenRows } from './queries.js'
import type { BotReactions } from './reactions.js'
import { rotateInboundOf, rotateSecretOf } from './rotate.js'
import { accessOf } from './rules.js'
import { scopeCatalogue } from './scopes.js'
import { signInRoutes } from './sign-in-routes.js'
import {
  issueTokenOf,
  recreateMainToken,
  recreateOwnToken,
  reissueTokenOf,
  revokeTokenOf,
  updateTokenOf,
} from './tokens.js'
import { setUrlOfSelf, updateBotOf } from './update.js'

export function botRoutes(api: Api, reactions: BotReactions) {
  route(api, listBots, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: listBots.id, secret: ctx.secret, limit: 50 })
    const rows = await listBotsFor(ctx.db, actor, query.query, paging)
    const { data, meta } = pageResult(rows, paging, (row) => ({ id: row.user_id }))
    return { data: data.map((row) => presentBot(ctx.config, row, accessOf(actor, row))), meta }
  })
  route(api, listCompanyBots, ({ ctx, actor, query }) => listCompanyBotsFor(ctx, actor, query))

  route(
    api,
    createBot,
    async ({ ctx, actor, body }) => ({ data: (await createBotOf(ctx, actor, body)) as BotCreateResponse }),
    { reshape: reshapeNewBot },
  )
  route(api, getBot, async ({ ctx, actor, params }) => {
    const { row, access } = await loadEditable(ctx.db, actor, params.id, 'show')
    return { data: presentBot(ctx.config, row, access) }
  })
  route(api, updateBot, async ({ ctx, actor, params, body, reply }) => {
    if (body.webhook.single_chat !== undefined) noteIgnored(reply, 'single_chat')
    return { data: await updateBotOf(ctx, actor, reactions, params.id, body) }
  })
  route(api, deleteBot, ({ ctx, actor, params }) => deleteBotForGood(ctx, actor, reactions, params.id))

  tokenRoutes(api)
  ownRoutes(api, reactions)
  webhookSettingRoutes(api)
  signInRoutes(api)
}

function tokenRoutes(api: Api) {
  route(api, listBotTokens, async ({ ctx, actor, params, query }) => {
    await loadManaged(ctx.db, actor, params.id, 'list_tokens')
    const paging = readPaging(query, { list: listBotTokens.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = pageResult(await listTokenRows(ctx.db, params.id, paging), paging, ({ id }) => ({
      id,
    }))
    return { data: data.map((row) => presentBotToken(row)), meta }
  })
  route(api, issueBotToken, async ({ ctx, actor, params, body }) => ({
    data: await issueTokenOf(ctx, actor, params.id, body),
  }))
  route(api, updateBotToken, async ({ ctx, actor, params, body }) => ({
    data: await updateTokenOf(ctx, actor, params, body),
  }))
  route(api, revokeBotToken, ({ ctx, actor, params }) => revokeTokenOf(ctx, actor, params))
  route(api, reissueBotToken, async ({ ctx, actor, params }) => ({
    data: await reissueTokenOf(ctx, actor, params),
  }))
  route(api, rotateBotToken, async ({ ctx, actor, params }) => {
    const { row, access, access_token } = await recreateMainToken(ctx, actor, params.id)
    return { data: { ...presentBot(ctx.config, row, access), access_token } }
  })
  route(api, listBotScopes, async ({ ctx, actor, params }) => {
    await loadManaged(ctx.db, actor, params.id, 'list_scopes')
    return scopeCatalogue()
  })
}

/** What a bot does to itself. */
function ownRoutes(api: Api, reactions: BotReactions) {
  route(api, rotateOwnToken, async ({ ctx, actor }) => {
    const own = await recreateOwnToken(ctx, actor, (tx) => findBotFor(tx, actor, actor.user_id))
    return { data: { ...presentOwn(own.row), access_token: own.access_token } }
  })
  route(api, setOwnWebhook, async ({ ctx, actor, body }) => ({
    data: presentOwn(await setUrlOfSelf(ctx, actor, reactions, body.webhook.outgoing_url)),
  }))
}

function webhookSettingRoutes(api: Api) {
  route(api, rotateSigningSecret, async ({ ctx, actor, params }) => {
    const { row, access } = await rotateSecretOf(ctx, actor, params.id)
    return { data: presentBot(ctx.config, row, access) }
  })
  route(api, rotateInboundUrl, async ({ ctx, actor, params }) => {
    const { row, access } = await rotateInboundOf(ctx, actor, params.id)
    return { data: presentBot(ctx.config, row, access) }
  })
}
