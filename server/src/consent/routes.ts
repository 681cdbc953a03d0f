import * as contract from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { showAuthorizePage, takeAuthorizeForm } from './authorize.js'

export function consentRoutes(api: Api) {
  const raw = { rawBody: true }
  route(api, contract.showAuthorizePage, showAuthorizePage, raw)
  route(api, contract.answerAuthorizePage, takeAuthorizeForm, raw)
}
