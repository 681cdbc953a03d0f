import { counters, session } from './account/state.js'
import { fieldRevision, tagRevision } from './admin/state.js'
import { botRevision } from './bots/state.js'
import { chatRevision, chats } from './chats/state.js'
import { drafts } from './drafts/state.js'
import { views } from './forms/state.js'
import { draftChanges } from './later/state.js'
import { messages } from './messages/state.js'
import { notifications } from './notifications/state.js'
import { pinRevision } from './panel/state.js'
import { people, peopleRevision, presence, typing } from './people/state.js'
import { createStore } from './platform/store.js'
import { preferences } from './settings/state.js'
import { taskRevision } from './tasks/state.js'
import { threadParent } from './threads/parent.js'
import { threadInbox } from './threads/state.js'

/** The whole state of the client, one area a line. Read `state.chats.value`; write by `apply` alone. */
export const { state, apply, hearing, restore } = createStore({
  session,
  counters,
  preferences,
  notifications,
  chats,
  messages,
  people,
  presence,
  typing,
  drafts,
  draftChanges,
  threadInbox,
  threadParent,
  views,
  botRevision,
  chatRevision,
  fieldRevision,
  peopleRevision,
  pinRevision,
  tagRevision,
  taskRevision,
})
