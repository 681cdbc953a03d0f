import * as audit from './audit.js'
import * as bots from './bots/index.js'
import * as chatCards from './chat-cards.js'
import * as chatFiles from './chat-files.js'
import * as chats from './chats.js'
import * as company from './company.js'
import * as customProperties from './custom-properties.js'
import * as dlp from './dlp.js'
import * as draftPlaces from './draft-places.js'
import * as drafts from './drafts.js'
import * as errors from './errors.js'
import * as events from './events/index.js'
import * as exports from './exports.js'
import * as files from './files.js'
import * as forms from './forms.js'
import * as identityProviders from './identity-providers.js'
import * as imports from './imports.js'
import * as limits from './limits.js'
import * as live from './live.js'
import * as members from './members.js'
import * as mentions from './mentions.js'
import * as messages from './messages/index.js'
import * as notices from './notices.js'
import * as notifications from './notifications.js'
import * as oauth from './oauth.js'
import type { Operation } from './operation.js'
import * as ownIdentities from './own-identities.js'
import * as ownSessions from './own-sessions.js'
import * as payloads from './payloads.js'
import * as people from './people.js'
import * as preferences from './preferences.js'
import * as presence from './presence.js'
import * as previews from './previews.js'
import * as profile from './profile.js'
import * as reactions from './reactions.js'
import * as refusalLog from './refusal-log.js'
import * as retention from './retention.js'
import * as sandbox from './sandbox.js'
import * as scim from './scim.js'
import * as scopes from './scopes.js'
import * as search from './search.js'
import * as secondFactor from './second-factor.js'
import * as sessions from './sessions.js'
import * as shapes from './shapes.js'
import * as start from './start.js'
import * as tags from './tags.js'
import * as tasks from './tasks.js'
import * as threadInbox from './thread-inbox.js'
import * as threads from './threads.js'
import * as timeline from './timeline.js'
import * as userDeletion from './user-deletion.js'
import * as users from './users.js'
import * as webhooks from './webhooks.js'

const areas = [
  audit,
  bots,
  chatCards,
  chatFiles,
  chats,
  company,
  customProperties,
  dlp,
  draftPlaces,
  drafts,
  errors,
  events,
  exports,
  identityProviders,
  imports,
  files,
  forms,
  limits,
  live,
  members,
  mentions,
  messages,
  notices,
  notifications,
  oauth,
  ownIdentities,
  ownSessions,
  payloads,
  people,
  preferences,
  presence,
  previews,
  profile,
  reactions,
  refusalLog,
  sandbox,
  retention,
  scim,
  scopes,
  search,
  secondFactor,
  sessions,
  shapes,
  start,
  tags,
  tasks,
  threadInbox,
  threads,
  timeline,
  users,
  userDeletion,
  webhooks,
]

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value
}

/** Every operation of the API, area by area. */
export const OPERATIONS: readonly Operation[] = areas.flatMap((area) =>
  Object.values(area as Record<string, unknown>).filter(isOperation),
)

/** Every named shape, for the components of the printed document. */
export const SHAPES: ReadonlyMap<string, object> = new Map([
  ...areas.flatMap((area) =>
    Object.entries(area as Record<string, unknown>).filter(
      (entry): entry is [string, object] =>
        /^[A-Z][a-z]/.test(entry[0]) &&
        typeof entry[1] === 'object' &&
        entry[1] !== null &&
        !isOperation(entry[1]),
    ),
  ),
  ...live.EVENT_FRAMES,
])
