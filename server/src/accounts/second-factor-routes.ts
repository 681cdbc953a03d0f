import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import {
  addPasskey,
  confirmTotp,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  resetSecondFactor,
  showSecondFactor,
  startPasskey,
  startTotp,
} from './second-factor.js'
import { beginSecondFactor } from './sessions.js'

export function secondFactorRoutes(routes: Routes) {
  route(routes, api.beginSecondFactor, async ({ ctx, body }) => ({
    data: await beginSecondFactor(ctx, body),
  }))
  route(routes, api.getSecondFactor, async ({ ctx, actor }) => ({ data: await showSecondFactor(ctx, actor) }))
  route(routes, api.startTotp, async ({ ctx, actor, body }) => ({
    data: await startTotp(ctx, actor, body.password),
  }))
  route(routes, api.confirmTotp, async ({ ctx, actor, body }) => ({
    data: await confirmTotp(ctx, actor, body.code),
  }))
  route(routes, api.removeTotp, ({ ctx, actor, body }) => removeTotp(ctx, actor, body.password))
  route(routes, api.renewRecoveryCodes, async ({ ctx, actor, body }) => ({
    data: await renewRecoveryCodes(ctx, actor, body.password),
  }))
  route(routes, api.startPasskey, async ({ ctx, actor, body }) => ({
    data: await startPasskey(ctx, actor, body.password),
  }))
  route(routes, api.addPasskey, async ({ ctx, actor, body }) => ({
    data: await addPasskey(ctx, actor, body),
  }))
  route(routes, api.removePasskey, ({ ctx, actor, params, body }) =>
    removePasskey(ctx, actor, params.id, body.password),
  )
  route(routes, api.resetSecondFactor, ({ ctx, actor, params }) => resetSecondFactor(ctx, actor, params.id))
}
