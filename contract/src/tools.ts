import { createChat, getChat, listChats } from './chats.js'
import { createDraft } from './drafts.js'
import { addChatMembers, listChatMembers, removeChatMember } from './members.js'
import {
  createMessage,
  deleteMessage,
  getMessage,
  listMessages,
  pinMessage,
  updateMessage,
} from './messages/index.js'
import { getTokenInfo } from './oauth.js'
import type { Operation } from './operation.js'
import { addReaction } from './reactions.js'
import { searchChats, searchMessages, searchUsers } from './search.js'
import { listGroupTags } from './tags.js'
import { createTask, listTasks, updateTask } from './tasks.js'
import { createThread, getThread } from './threads.js'
import { getUser } from './users.js'

/** An operation as a tool of the Model Context Protocol. */
export interface Tool {
  name: string
  operation: Operation
  /** Takes something away that cannot be had again. */
  destructive?: true
}

const reading: readonly (readonly [string, Operation])[] = [
  ['whoami', getTokenInfo],
  ['search_messages', searchMessages],
  ['search_chats', searchChats],
  ['search_people', searchUsers],
  ['list_chats', listChats],
  ['get_chat', getChat],
  ['read_messages', listMessages],
  ['get_message', getMessage],
  ['get_thread', getThread],
  ['list_members', listChatMembers],
  ['get_person', getUser],
  ['list_tasks', listTasks],
  ['list_tags', listGroupTags],
]

const writing: readonly (readonly [string, Operation])[] = [
  ['send_message', createMessage],
  ['draft_message', createDraft],
  ['edit_message', updateMessage],
  ['delete_message', deleteMessage],
  ['react', addReaction],
  ['pin_message', pinMessage],
  ['start_thread', createThread],
  ['create_chat', createChat],
  ['add_members', addChatMembers],
  ['remove_member', removeChatMember],
  ['create_task', createTask],
  ['update_task', updateTask],
]

const DESTRUCTIVE = new Set(['delete_message', 'remove_member'])

/** What an assistant may do here, in a stable order: first what reads, then what writes. */
export const TOOLS: readonly Tool[] = [...reading, ...writing].map(([name, operation]) => ({
  name,
  operation,
  ...(DESTRUCTIVE.has(name) ? { destructive: true as const } : {}),
}))

/** The input of a tool as JSON Schema. */
export interface ToolInput {
  type: 'object'
  properties: Record<string, object>
  required: string[]
  additionalProperties: false
}

/** Path, query and body of an operation as one object: the names of no operation meet. */
export function inputOf({ params, query, body }: Operation): ToolInput {
  const parts = [params, query, body].filter((part) => part !== undefined) as {
    properties?: Record<string, object>
    required?: string[]
  }[]
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => properties ?? {})),
    required: parts.flatMap(({ required }) => required ?? []),
    additionalProperties: false,
  }
}
