import { randomUUID } from 'node:crypto'
import { OPERATIONS, type Operation } from '@parley/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { accountRoutes } from './accounts/routes.js'
import { auditRoutes } from './audit/routes.js'
import { botRoutes } from './bots/routes.js'
import { chatLifecycleRoutes } from './chat-lifecycle/routes.js'
import { chatRoutes } from './chats/routes.js'
import { companyRoutes } from './company/routes.js'
import { consentRoutes } from './consent/routes.js'
import { customPropertyRoutes } from './custom-properties/routes.js'
import { dlpRoutes } from './dlp/routes.js'
import { draftRoutes } from './drafts/routes.js'
import { countConsequences } from './dry-run/consequences.js'
import { exportRoutes } from './exports/routes.js'
import { previewFileRoutes } from './files/preview.js'
import { fileRoutes } from './files/routes.js'
import { storageRoutes } from './files/storage-routes.js'
import { formRoutes } from './forms/routes.js'
import { identityRoutes } from './identities/routes.js'
import { importRoutes } from './imports/routes.js'
import { liveRoutes } from './live/routes.js'
import { mcpRoutes } from './mcp/routes.js'
import { memberRoutes } from './members/routes.js'
import { pinRoutes } from './messages/pin-routes.js'
import { readRoutes } from './messages/read-routes.js'
import { messageRoutes } from './messages/routes.js'
import { notificationRoutes } from './notifications/routes.js'
import { oauthFlowRoutes } from './oauth/flow-routes.js'
import { oauthRoutes } from './oauth/routes.js'
import { workspaceHealthRoutes } from './operator/health-routes.js'
import type { Context } from './platform/context.js'
import { allowClientOrigin } from './platform/http/client-origin.js'
import { compressAnswer } from './platform/http/compress.js'
import { MEDIA_TYPES } from './platform/http/lenient-body.js'
import { logRequests, pathOf } from './platform/http/log-requests.js'
import { healthRoutes, operatorRoutes } from './platform/http/operator.js'
import { refuseUnreadable } from './platform/http/refuse-unreadable.js'
import { replyProblem, translated } from './platform/http/reply-problem.js'
import { mount, type Routes } from './platform/http/route.js'
import { configOf } from './platform/http/route-config.js'
import { endSlowBodies } from './platform/http/slow-bodies.js'
import { watchUnused } from './platform/http/unused-connections.js'
import { serveClient } from './platform/http/web-client.js'
import { Problem } from './platform/problem.js'
import { previewRoutes } from './previews/routes.js'
import { unfurlRoutes } from './previews/unfurl-routes.js'
import { reactionRoutes } from './reactions/routes.js'
import { createRefusalLog } from './refusals/note.js'
import { refusalRoutes } from './refusals/routes.js'
import { retentionRoutes } from './retention/routes.js'
import { type SandboxControls, sandboxRoutes } from './sandbox/routes.js'
import { scimRoutes } from './scim/routes.js'
import { scimTokenRoutes } from './scim/token-routes.js'
import { searchRoutes } from './search/routes.js'
import { startRoutes } from './start/routes.js'
import { tagRoutes } from './tags/routes.js'
import { taskRoutes } from './tasks/routes.js'
import { threadRoutes } from './threads/routes.js'
import { timelineRoutes } from './timeline/routes.js'
import { userRoutes } from './users/routes.js'
import { botReactions } from './webhooks/outgoing.js'
import { webhookRoutes } from './webhooks/routes.js'

/** Every area's operations, one line each. */
export function bindAreas(ctx: Context, sandbox?: SandboxControls): Routes {
  const routes: Routes = {
    ctx,
    bound: new Map(),
    consequences: countConsequences,
    ending: { streams: [], resources: [] },
  }
  if (sandbox) sandboxRoutes(routes, sandbox)
  companyRoutes(routes)
  oauthRoutes(routes)
  oauthFlowRoutes(routes)
  customPropertyRoutes(routes)
  userRoutes(routes)
  consentRoutes(routes)
  tagRoutes(routes)
  fileRoutes(routes)
  chatRoutes(routes)
  messageRoutes(routes)
  pinRoutes(routes)
  readRoutes(routes)
  memberRoutes(routes)
  chatLifecycleRoutes(routes)
  previewRoutes(routes)
  threadRoutes(routes)
  reactionRoutes(routes)
  timelineRoutes(routes)
  liveRoutes(routes)
  dlpRoutes(routes)
  draftRoutes(routes)
  taskRoutes(routes)
  botRoutes(routes, botReactions)
  formRoutes(routes)
  webhookRoutes(routes)
  unfurlRoutes(routes)
  refusalRoutes(routes)
  searchRoutes(routes)
  exportRoutes(routes)
  importRoutes(routes)
  retentionRoutes(routes)
  auditRoutes(routes)
  startRoutes(routes)
  accountRoutes(routes)
  notificationRoutes(routes)
  identityRoutes(routes)
  scimTokenRoutes(routes)
  workspaceHealthRoutes(routes)
  return routes
}

/** Operations of the contract that no area handles; a test sees to it that there are none. */
export function unboundOperations(routes: Routes) {
  const here = (operation: Operation) => !operation.external && !operation.sandbox
  return OPERATIONS.filter((operation) => here(operation) && !routes.bound.has(operation.id))
}

function mountAll(app: FastifyInstance, routes: Routes) {
  for (const bound of routes.bound.values()) {
    const prefixes = bound.operation.root ? [''] : routes.ctx.config.api_prefixes
    for (const prefix of prefixes) mount(app, routes, prefix, bound)
  }
}

function isJson(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type') ?? '').startsWith('application/json')
}

/** Names of headers that every answer has are written as Fastify keeps them: it makes lower case of others each time. */
function count(app: FastifyInstance, ctx: Context) {
  app.decorateRequest('config')
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // Names, texts and tokens: no proxy and no browser keeps an answer, unless its operation says so.
    if (!reply.hasHeader('cache-control') && isJson(reply)) reply.header('cache-control', 'no-store')
    if (ctx.drain.began) reply.header('connection', 'close')
    compressAnswer(request, reply, payload, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { operation = 'none' } = configOf(request)
    ctx.metrics.requests.note(operation, reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
}

export interface AppOptions {
  /** More hooks or routes. */
  extend?: (app: FastifyInstance) => void
  /** The control API of a sandbox; absent everywhere else. */
  sandbox?: SandboxControls
}

/** What a worker answers: whether it is well, and its metrics. */
export function buildHealthApp(ctx: Context): FastifyInstance {
  const app = Fastify({ logger: false })
  healthRoutes(app, ctx)
  return app
}

/** The HTTP side of the server: every operation on every prefix, and the endpoints for operators. */
export function buildApp(ctx: Context, options: AppOptions = {}): FastifyInstance {
  const app = Fastify({
    logger: false,
    trustProxy: ctx.config.trusted_proxies.length > 0 ? ctx.config.trusted_proxies : false,
    genReqId: (request) => idOf(request.headers['x-request-id']) ?? randomUUID(),
    // Uploads take as long as they take, as long as they move; JSON bodies have a limit of their own.
    requestTimeout: 0,
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    routerOptions: {
      maxParamLength: 512,
      ignoreTrailingSlash: true,
      // Routes read their queries themselves.
      querystringParser: (text) => text as never,
    },
    return503OnClosing: false,
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => replyProblem(ctx, error, request, reply as never),
  })
  // Bodies are read by route(), after the caller is admitted.
  for (const method of WITH_BODY) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  const noteRefusal = createRefusalLog(ctx)
  app.setErrorHandler<Error>(async (error, request, reply) => {
    await noteRefusal(request, translated(error))
    return replyProblem(ctx, error, request, reply)
  })
  const serve = serveClient(ctx.config)
  app.setNotFoundHandler((request, reply) => {
    if (serve(request, reply)) return reply
    return replyProblem(
      ctx,
      new Problem(404, 'not_found', {
        message: `there is no ${request.method} ${pathOf(request)}: /docs lists the calls`,
      }),
      request,
      reply,
    )
  })
  endSlowBodies(app)
  count(app, ctx)
  allowClientOrigin(app, ctx.config)
  app.addHook('onRequest', (request, _reply, done) => done(mediaTypeFault(request)))
  logRequests(app, ctx)
  operatorRoutes(app, ctx, options.sandbox !== undefined)
  storageRoutes(app, ctx)
  previewFileRoutes(app, ctx)
  options.extend?.(app)
  mcpRoutes(app, ctx)
  scimRoutes(app, ctx)
  const routes = bindAreas(ctx, options.sandbox)
  mountAll(app, routes)
  const closeUnused = watchUnused(app.server)
  app.addHook('preClose', async () => {
    for (const end of routes.ending.streams) end()
    closeUnused()
  })
  app.addHook('onClose', async () => {
    for (const end of routes.ending.resources) await end()
  })
  return app
}

const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A media type that is none is refused even where no body is read. */
function mediaTypeFault(request: FastifyRequest): Problem | undefined {
  if (request.headers['content-type'] === undefined || request.mediaType !== undefined) return undefined
  if (!WITH_BODY.includes(request.method)) return undefined
  return new Problem(400, 'invalid', { key: 'Content-Type', message: MEDIA_TYPES })
}

/** A caller's own request id is kept where it is harmless to log. */
function idOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : undefined
}
