import * as api from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { transaction } from '../platform/db/transaction.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { found, OAuthProblem } from '../platform/problem.js'
import { isCli } from './clients.js'
import { listLogins } from './device-queries.js'
import { DEVICE_LIFETIME_S, endLogin, POLL_INTERVAL_S, startDevice } from './devices.js'
import { exchange } from './exchange.js'
import { listGrantsOf } from './grant-queries.js'
import { revokeGrantsOf } from './grants.js'
import { serverMetadata } from './metadata.js'
import { presentGrant, presentLogin } from './present-access.js'
import { credentialsOf, readForm, required } from './read-form.js'
import { revoke } from './revoke.js'

/** Sign-in answers are never kept by anybody between, and a refused client may prove itself by a secret. */
async function signInAnswer<T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  reply.header('Cache-Control', 'no-store')
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthProblem) || error.error === 'invalid_token') throw error
    if (error.status === 401) reply.header('WWW-Authenticate', 'Basic realm="Parley"')
    reply.status(error.status).send({ error: error.error, error_description: error.description })
    return undefined as T
  }
}

export function oauthFlowRoutes(routes: Routes) {
  const raw = { rawBody: true }
  route(routes, api.getServerMetadata, async ({ ctx }) => serverMetadata(ctx.config))
  route(
    routes,
    api.startDeviceSignIn,
    ({ ctx, request, reply }) =>
      signInAnswer(reply, async () => {
        const form = await readForm(request)
        if (!isCli(ctx, required(form, 'client_id')))
          throw new OAuthProblem(401, 'invalid_client', 'No such client')
        const codes = await startDevice(ctx, form.get('device_name'))
        const verification_uri = `${ctx.config.app_url}/apps/authorize`
        return { ...codes, verification_uri, expires_in: DEVICE_LIFETIME_S, interval: POLL_INTERVAL_S }
      }),
    raw,
  )
  route(
    routes,
    api.exchangeToken,
    ({ ctx, request, reply }) =>
      signInAnswer(reply, async () => {
        const form = await readForm(request)
        return exchange(ctx, form, credentialsOf(form, request.headers.authorization))
      }),
    raw,
  )
  route(
    routes,
    api.revokeToken,
    ({ ctx, request, reply }) =>
      signInAnswer(reply, async () => {
        const form = await readForm(request)
        await revoke(ctx, request, form, credentialsOf(form, request.headers.authorization))
      }),
    raw,
  )
  route(routes, api.listGrants, async ({ ctx, actor }) => ({
    data: (await listGrantsOf(ctx.db, actor.user_id)).map(presentGrant),
  }))
  route(routes, api.revokeGrant, async ({ ctx, actor, params }) => {
    const revoked = await transaction(ctx, (tx) => revokeGrantsOf(tx, ctx, actor, params.bot_id))
    found(revoked || undefined, { key: 'bot_id', value: params.bot_id })
  })
  route(routes, api.listDeviceLogins, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: api.listDeviceLogins.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listLogins(ctx.db, actor.user_id, part),
      ({ id }) => ({
        id,
      }),
    )
    return { data: data.map(presentLogin), meta }
  })
  route(routes, api.endDeviceLogin, async ({ ctx, actor, params }) => {
    found((await endLogin(ctx, actor, params.id)) || undefined, { key: 'id', value: params.id })
  })
}
