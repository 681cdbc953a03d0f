import { listCompanyChats } from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { listChatsOfCompany } from './chats.js'

export function companyRoutes(api: Api) {
  route(api, listCompanyChats, ({ ctx, actor, query }) => listChatsOfCompany(ctx, actor, query))
}
