import {
  type CurrentSession,
  createBot,
  createChat,
  createCustomProperty,
  createDlpRule,
  createGroupTag,
  createPersonalToken,
  createUser,
  listAuditEvents,
  type Operation,
  orderExport,
  updateOwnProfile,
  updateRetention,
  updateUser,
  updateWorkspaceSettings,
  type WorkspaceAct,
} from '@parley/contract'
import { mayChangeOwnCard } from '../accounts/own-profile.js'
import type { Actor } from '../platform/actor.js'
import { judge } from '../platform/http/admit.js'
import { OAuthProblem, Problem } from '../platform/problem.js'

/** The operation behind each act: callers that it admits may do it. */
const OPERATIONS: Record<WorkspaceAct, Operation> = {
  'profile.rename': updateOwnProfile,
  'chats.create': createChat,
  'users.invite': createUser,
  'users.update': updateUser,
  'tags.manage': createGroupTag,
  'fields.manage': createCustomProperty,
  'bots.create': createBot,
  'tokens.create': createPersonalToken,
  'workspace.update': updateWorkspaceSettings,
  'exports.create': orderExport,
  'audit.read': listAuditEvents,
  'dlp.manage': createDlpRule,
  'retention.manage': updateRetention,
}

const ACTS = Object.keys(OPERATIONS) as WorkspaceAct[]

function admits(operation: Operation, actor: Actor): boolean {
  try {
    judge(operation, actor)
    return true
  } catch (error) {
    if (error instanceof Problem || error instanceof OAuthProblem) return false
    throw error
  }
}

/** What somebody may do in the workspace: what operations admit, less what its settings withhold. */
export function actsInWorkspace(
  actor: Actor,
  workspace: CurrentSession['workspace'],
  own_names: string,
): WorkspaceAct[] {
  const withheld = new Set<WorkspaceAct>()
  if (!workspace.may_create_integrations) withheld.add('bots.create')
  if (!workspace.may_create_personal_tokens) withheld.add('tokens.create')
  if (!mayChangeOwnCard(actor, own_names, { first_name: '' }).allowed) withheld.add('profile.rename')
  return ACTS.filter((act) => !withheld.has(act) && admits(OPERATIONS[act], actor))
}
