import * as api from '@parley/contract'
import { readWorkspace } from '../company/queries.js'
import { readForm, required } from '../oauth/read-form.js'
import { type Routes, route } from '../platform/http/route.js'
import { type Connections, createConnections } from './connect.js'
import { countCoverage } from './identity-queries.js'
import { beginConfirmation, beginLink, showOwnSignIn, unlinkIdentity } from './own-identities.js'
import { listOpenProviders } from './provider-queries.js'
import { changeProvider, createProvider, removeProvider, showProviders } from './providers.js'
import { beginSignIn, finishSignIn } from './sign-in.js'
import { endByProvider, showSignOut } from './sign-out.js'
import { tryProvider } from './try-provider.js'

export function identityRoutes(routes: Routes) {
  const connections = createConnections(routes.ctx)
  route(routes, api.getSignInOptions, async ({ ctx }) => {
    const { password_sign_in } = await readWorkspace(ctx.db)
    return { data: { password: password_sign_in === 'on', providers: await listOpenProviders(ctx.db) } }
  })
  route(routes, api.getSignInCoverage, async ({ ctx }) => ({ data: await countCoverage(ctx.db) }))
  route(routes, api.getSessionProvider, async ({ ctx, actor }) => ({
    data: await showSignOut(ctx, connections, actor),
  }))
  route(routes, api.beginProviderSignIn, ({ ctx, request, reply, params, query }) =>
    beginSignIn({ ctx, request, reply, connections, slug: params.slug }, query.to),
  )
  route(routes, api.finishProviderSignIn, ({ ctx, request, reply, params }) =>
    finishSignIn({ ctx, request, reply, connections, slug: params.slug }),
  )
  route(
    routes,
    api.endProviderSessions,
    async ({ ctx, request, params }) =>
      endByProvider(ctx, connections, params.slug, required(await readForm(request), 'logout_token')),
    { rawBody: true },
  )
  providerRoutes(routes)
  ownRoutes(routes, connections)
}

function ownRoutes(routes: Routes, connections: Connections) {
  route(routes, api.getOwnSignIn, async ({ ctx, actor }) => ({ data: await showOwnSignIn(ctx, actor) }))
  route(routes, api.linkIdentity, async ({ ctx, request, reply, actor, body }) => ({
    data: await beginLink({ ctx, request, reply, connections, slug: body.slug }, actor, body),
  }))
  route(routes, api.confirmByProvider, async ({ ctx, request, reply, actor, body }) => ({
    data: await beginConfirmation({ ctx, request, reply, connections, slug: body.slug }, actor, body.to),
  }))
  route(routes, api.unlinkIdentity, ({ ctx, actor, params, body }) =>
    unlinkIdentity(ctx, actor, params.provider_id, body.password),
  )
}

function providerRoutes(routes: Routes) {
  route(routes, api.listIdentityProviders, async ({ ctx }) => ({ data: await showProviders(ctx) }))
  route(routes, api.createIdentityProvider, async ({ ctx, actor, body }) => ({
    data: await createProvider(ctx, actor, body),
  }))
  route(routes, api.updateIdentityProvider, async ({ ctx, actor, params, body }) => ({
    data: await changeProvider(ctx, actor, params.id, body),
  }))
  route(routes, api.deleteIdentityProvider, ({ ctx, actor, params }) => removeProvider(ctx, actor, params.id))
  route(routes, api.tryIdentityProvider, async ({ ctx, params }) => ({
    data: await tryProvider(ctx, params.id),
  }))
}
