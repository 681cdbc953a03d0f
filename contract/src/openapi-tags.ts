import { OPERATIONS } from './operations.js'

const TEXTS: Record<string, string> = {
  Messages: 'Sending, reading, editing, pinning and forwarding messages.',
  Chats: 'Conversations, channels and personal chats.',
  'Chat members': 'Who is in a chat, and in which role.',
  Threads: 'Conversations below a message, or of their own.',
  Reactions: 'Emoji on messages.',
  Files: 'Uploads and downloads.',
  Search: 'Messages, chats and people by words.',
  Tasks: 'Tasks and reminders.',
  Drafts: 'Unsent and scheduled messages of people.',
  Webhooks: 'What the server posts to bots.',
  Bots: 'Bots, their settings and tokens, and their deliveries.',
  Views: 'Buttons and forms.',
  'Webhook events': 'The queue of a bot that polls, and inbound webhooks.',
  OAuth: 'Tokens, and applications that act for people.',
  Users: 'People of the workspace.',
  Profile: 'The caller.',
  People: 'People as lists and pickers show them.',
  'Group tags': 'Named groups of people.',
  Presence: 'Who is there, and who is typing.',
  'Read members': 'Who has read a message.',
  Live: 'The stream of everything that happens.',
  Sandbox: 'Control of a throw-away workspace; it exists there alone.',
  Workspace: 'Settings, bots and chats of the whole workspace.',
  Security: 'Audit log, data-loss rules and retention.',
  'Sign-in': 'Signing in through identity providers.',
  Sessions: 'Signing in, invitations, passwords and personal tokens.',
  Exports: 'Messages of a period as a file.',
  'Custom properties': 'Fields that the workspace adds to people and tasks.',
}

/** What a bot needs first; every area that is named nowhere is for administration. */
const GROUPS: Record<string, string[]> = {
  Conversations: [
    'Messages',
    'Chats',
    'Chat members',
    'Threads',
    'Reactions',
    'Files',
    'Search',
    'Tasks',
    'Drafts',
  ],
  Bots: ['Webhooks', 'Bots', 'Views', 'Webhook events', 'OAuth'],
  People: ['Users', 'Profile', 'People', 'Group tags', 'Presence', 'Read members', 'Live'],
  Sandbox: ['Sandbox'],
}

const AREAS = [...new Set(OPERATIONS.map((operation) => operation.area)), 'Webhooks']
const grouped = new Set(Object.values(GROUPS).flat())

export const TAGS = AREAS.map((name) => ({ name, description: TEXTS[name] ?? `${name}.` }))

export const TAG_GROUPS = Object.entries({
  ...GROUPS,
  Administration: AREAS.filter((area) => !grouped.has(area)),
}).map(([name, tags]) => ({ name, tags }))
