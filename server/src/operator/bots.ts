import * as api from '@parley/contract'
import { createBot } from '../bots/create.js'
import { bodyCheck } from '../platform/http/check-body.js'
import type { OpenWorkspace } from './workspace.js'

/** A bot of the owner, with its token and its signing secret, which are shown once. */
export function createOwnersBot({ ctx, actor }: OpenWorkspace, webhook: api.BotCreateRequest['webhook']) {
  const given = Object.fromEntries(Object.entries(webhook).filter(([, value]) => value !== undefined))
  const body = { webhook: given } as api.BotCreateRequest
  bodyCheck(api.createBot)(body)
  return createBot(ctx, actor, body)
}
