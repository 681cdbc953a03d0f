import * as bots from './bots.js'
import * as chats from './chats.js'
import * as messages from './messages.js'
import * as people from './people.js'
import * as workspace from './workspace.js'

export * from './bots.js'
export * from './chats.js'
export * from './event.js'
export * from './messages.js'
export * from './people.js'
export * from './workspace.js'

/** Every kind of event, noun by noun. */
export const EVENTS = [
  messages.messageCreated,
  messages.messageUpdated,
  messages.messageDeleted,
  messages.messageSystem,
  messages.messagePreviewed,
  messages.messageTranscribed,
  messages.messagePinned,
  messages.messageUnpinned,
  messages.reactionCreated,
  messages.reactionDeleted,
  chats.threadCreated,
  chats.chatCreated,
  chats.chatUpdated,
  chats.chatArchived,
  chats.chatUnarchived,
  chats.chatMembersAdded,
  chats.chatMembersRemoved,
  chats.readMoved,
  workspace.taskCreated,
  workspace.taskUpdated,
  workspace.taskDeleted,
  people.noticeCreated,
  people.noticesRead,
  people.approvalDecided,
  people.preferencesChanged,
  people.notificationsChanged,
  people.draftSaved,
  people.draftDeleted,
  people.userStatusChanged,
  people.userAvatarChanged,
  people.companyMembersInvited,
  people.companyMembersConfirmed,
  people.companyMembersUpdated,
  people.companyMembersSuspended,
  people.companyMembersActivated,
  people.companyMembersDeleted,
  bots.botCreated,
  bots.botUpdated,
  bots.botDeleted,
  bots.viewOpened,
  bots.viewClosed,
  workspace.workspaceUpdated,
  workspace.workspaceImported,
  workspace.customPropertyCreated,
  workspace.customPropertyUpdated,
  workspace.customPropertyDeleted,
  workspace.groupTagCreated,
  workspace.groupTagUpdated,
  workspace.groupTagDeleted,
] as const

export type AnyEvent = (typeof EVENTS)[number]
export type EventType = AnyEvent['type']
