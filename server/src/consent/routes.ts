import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { showAuthorizePage, takeAuthorizeForm } from './authorize.js'

export function consentRoutes(routes: Routes) {
  const raw = { rawBody: true }
  route(routes, api.showAuthorizePage, showAuthorizePage, raw)
  route(routes, api.answerAuthorizePage, takeAuthorizeForm, raw)
}
