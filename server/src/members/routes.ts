import * as api from '@parley/contract'
import { namesOfBots } from '../chats/admit.js'
import { listMemberIds } from '../chats/member-queries.js'
import { mayReadRoster } from '../chats/member-rules.js'
import { findChatFor } from '../chats/queries.js'
import { noteIgnored } from '../platform/http/ignored.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { loadUsers } from '../users/present.js'
import { addMembers } from './add.js'
import { leaveChat, removeMember } from './remove.js'
import { changeRole } from './role.js'
import { bindTags, unbindTag } from './tags.js'

export function memberRoutes(routes: Routes) {
  route(routes, api.listChatMembers, async ({ ctx, actor, params, query }) => {
    const chat = found(await findChatFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    ensure(mayReadRoster(actor, chat), 'list_members', { type: 'Chat', id: chat.id })
    const paging = readPaging(query, {
      list: api.listChatMembers.id,
      secret: ctx.secret,
      limit: 50,
      order: 'asc',
    })
    const { data, meta } = await loadPage(
      paging,
      (part) => listMemberIds(ctx.db, chat.id, query.role ?? 'all', part),
      ({ id }) => ({ id }),
    )
    const ids = data.map(({ id }) => id)
    return { data: await loadUsers(ctx, actor, ids), meta }
  })
  route(routes, api.addChatMembers, ({ ctx, actor, params, body }) => addMembers(ctx, actor, params.id, body))
  route(routes, api.setChatMemberRole, ({ ctx, actor, params, body }) =>
    changeRole(ctx, actor, params.id, params.user_id, body.role),
  )
  route(routes, api.removeChatMember, ({ ctx, actor, params }) =>
    removeMember(ctx, actor, params.id, params.user_id),
  )
  route(routes, api.leaveChat, ({ ctx, actor, params }) => leaveChat(ctx, actor, params.id))
  route(routes, api.bindChatTags, async ({ ctx, actor, params, body, reply }) => {
    const { left_out } = await bindTags(ctx, actor, params.id, body.group_tag_ids)
    for (const name of namesOfBots(left_out)) noteIgnored(reply, name)
  })
  route(routes, api.unbindChatTag, ({ ctx, actor, params }) =>
    unbindTag(ctx, actor, params.id, params.tag_id),
  )
}
