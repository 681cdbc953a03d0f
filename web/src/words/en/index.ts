import { account } from './account.js'
import { browse } from './browse.js'
import { chats } from './chats.js'
import { common } from './common.js'
import { composer } from './composer.js'
import { forms } from './forms.js'
import { keys } from './keys.js'
import { later } from './later.js'
import { media } from './media.js'
import { messages } from './messages.js'
import { notices } from './notices.js'
import { panels } from './panels.js'
import { people } from './people.js'
import { search } from './search.js'
import { sections } from './sections.js'
import { settings } from './settings.js'
import { status } from './status.js'
import { switcher } from './switcher.js'
import { system } from './system.js'
import { tasks } from './tasks.js'
import { threads } from './threads.js'
import { unread } from './unread.js'
import { emoji, welcome } from './welcome.js'

/** One area a line. */
export const en = {
  account,
  chats,
  common,
  composer,
  forms,
  keys,
  later,
  media,
  messages,
  sections,
  settings,
  search,
  system,
  threads,
  unread,
  browse,
  notices,
  panels,
  people,
  status,
  switcher,
  tasks,
  emoji,
  welcome,
}
