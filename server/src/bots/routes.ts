import * as api from '@parley/contract'
import { noteIgnored } from '../platform/http/ignored.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { listCompanyBots } from './company-list.js'
import { createBot, reshapeBot } from './create.js'
import { deleteBot } from './delete.js'
import { loadEditable, loadManaged } from './load.js'
import { presentBot, presentBotToken, presentOwn } from './present.js'
import { findBotFor, listBotsFor, listPublished, listBotTokens as listTokenRows } from './queries.js'
import type { BotReactions } from './reactions.js'
import { rotateInboundUrl, rotateSigningSecret } from './rotate.js'
import { accessOf } from './rules.js'
import { presentPublished, sendSampleMessage } from './samples.js'
import { scopeCatalogue } from './scopes.js'
import { signInRoutes } from './sign-in-routes.js'
import {
  issueBotToken,
  reissueBotToken,
  revokeBotToken,
  rotateBotToken,
  rotateOwnToken,
  updateBotToken,
} from './tokens.js'
import { setOwnWebhook, updateBot } from './update.js'

export function botRoutes(routes: Routes, reactions: BotReactions) {
  route(routes, api.listBots, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: api.listBots.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listBotsFor(ctx.db, actor, query.query, part),
      (row) => ({ id: row.user_id }),
    )
    return { data: data.map((row) => presentBot(ctx, row, accessOf(actor, row))), meta }
  })
  route(routes, api.listPublishedBots, async ({ ctx, query }) => {
    const paging = readPaging(query, { list: api.listPublishedBots.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listPublished(ctx.db, query.query, part),
      (row) => ({ id: row.user_id }),
    )
    return { data: data.map((row) => presentPublished(ctx.config, row)), meta }
  })
  route(routes, api.sendSampleMessage, async ({ ctx, actor, params, body }) => ({
    data: await sendSampleMessage(ctx, actor, params.id, body),
  }))
  route(routes, api.listCompanyBots, ({ ctx, actor, query }) => listCompanyBots(ctx, actor, query))

  route(
    routes,
    api.createBot,
    async ({ ctx, actor, body }) => ({
      data: (await createBot(ctx, actor, body)) as api.BotCreateResponse,
    }),
    { reshape: reshapeBot },
  )
  route(routes, api.getBot, async ({ ctx, actor, params }) => {
    const { row, access } = await loadEditable(ctx.db, actor, params.id, 'show')
    return { data: presentBot(ctx, row, access) }
  })
  route(
    routes,
    api.updateBot,
    async ({ ctx, actor, params, body, reply }) => {
      if (body.webhook.single_chat !== undefined) noteIgnored(reply, 'single_chat')
      return { data: await updateBot(ctx, actor, reactions, params.id, body) }
    },
    { reshape: reshapeBot },
  )
  route(routes, api.deleteBot, ({ ctx, actor, params }) => deleteBot(ctx, actor, reactions, params.id))

  tokenRoutes(routes)
  ownRoutes(routes, reactions)
  webhookSettingRoutes(routes)
  signInRoutes(routes)
}

function tokenRoutes(routes: Routes) {
  route(routes, api.listBotTokens, async ({ ctx, actor, params, query }) => {
    await loadManaged(ctx.db, actor, params.id, 'list_tokens')
    const paging = readPaging(query, { list: api.listBotTokens.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listTokenRows(ctx.db, params.id, part),
      ({ id }) => ({
        id,
      }),
    )
    return { data: data.map((row) => presentBotToken(row)), meta }
  })
  route(routes, api.issueBotToken, async ({ ctx, actor, params, body }) => ({
    data: await issueBotToken(ctx, actor, params.id, body),
  }))
  route(routes, api.updateBotToken, async ({ ctx, actor, params, body }) => ({
    data: await updateBotToken(ctx, actor, params, body),
  }))
  route(routes, api.revokeBotToken, ({ ctx, actor, params }) => revokeBotToken(ctx, actor, params))
  route(routes, api.reissueBotToken, async ({ ctx, actor, params }) => ({
    data: await reissueBotToken(ctx, actor, params),
  }))
  route(routes, api.rotateBotToken, async ({ ctx, actor, params }) => {
    const { row, access, access_token } = await rotateBotToken(ctx, actor, params.id)
    return { data: { ...presentBot(ctx, row, access), access_token } }
  })
  route(routes, api.listBotScopes, async ({ ctx, actor, params }) => {
    await loadManaged(ctx.db, actor, params.id, 'list_scopes')
    return scopeCatalogue()
  })
}

/** What a bot does to itself. */
function ownRoutes(routes: Routes, reactions: BotReactions) {
  route(routes, api.rotateOwnToken, async ({ ctx, actor }) => {
    const own = await rotateOwnToken(ctx, actor, (tx) => findBotFor(tx, actor, actor.user_id))
    return { data: { ...presentOwn(own.row), access_token: own.access_token } }
  })
  route(routes, api.setOwnWebhook, async ({ ctx, actor, body }) => ({
    data: presentOwn(await setOwnWebhook(ctx, actor, reactions, body.webhook.outgoing_url)),
  }))
}

function webhookSettingRoutes(routes: Routes) {
  route(routes, api.rotateSigningSecret, async ({ ctx, actor, params, body }) => {
    const { row, access } = await rotateSigningSecret(ctx, actor, params.id, body?.grace_s)
    return { data: presentBot(ctx, row, access) }
  })
  route(routes, api.rotateInboundUrl, async ({ ctx, actor, params }) => {
    const { row, access } = await rotateInboundUrl(ctx, actor, params.id)
    return { data: presentBot(ctx, row, access) }
  })
}
