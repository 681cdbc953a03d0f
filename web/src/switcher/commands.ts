import { leave } from '../account/leaving.js'
import { markAllRead } from '../chats/actions.js'
import { nameNewSection } from '../chats/section-host.js'
import { attempt } from '../frame/attempt.js'
import { helpOpen } from '../frame/help-sheet.js'
import { words } from '../platform/i18n.js'
import { navigate } from '../platform/navigate.js'
import { savePreferences } from '../settings/actions.js'
import { state } from '../store.js'

interface Command {
  name: string
  title: string
  run(): void
}

/** What can be done from anywhere, by name. */
export function commands(): Command[] {
  const { switcher, chats, account, keys, settings } = words()
  const go = (name: string, title: string, path: string): Command => ({
    name,
    title,
    run: () => navigate(path),
  })
  const theme = (value: 'light' | 'dark' | 'auto'): Command => ({
    name: `theme-${value}`,
    title: switcher.theme(settings.themes[value]),
    run: () => void savePreferences({ theme: value }),
  })
  const may = state.session.value?.may ?? []
  const role = state.session.value?.role
  return [
    ...(may.includes('chats.create') ? [go('new', chats.newChat, '/new')] : []),
    { name: 'section', title: words().sections.add, run: () => nameNewSection() },
    go('browse', switcher.browse, '/browse'),
    go('people', chats.writeSomebody, '/people'),
    go('threads', chats.threads, '/threads'),
    go('later', chats.later, '/later'),
    go('tasks', chats.tasks, '/tasks'),
    { name: 'read', title: switcher.markAllRead, run: () => void attempt(markAllRead) },
    go('profile', `${settings.title}: ${settings.pages.profile}`, '/settings/profile'),
    go('look', `${settings.title}: ${settings.pages.look}`, '/settings/look'),
    go('sessions', `${settings.title}: ${settings.pages.sessions}`, '/settings/sessions'),
    ...(role === 'owner' || role === 'admin' ? [go('admin', chats.administration, '/admin/people')] : []),
    theme('light'),
    theme('dark'),
    theme('auto'),
    {
      name: 'keys',
      title: keys.help,
      run: () => {
        helpOpen.value = true
      },
    },
    { name: 'sign-out', title: account.signOut, run: () => void attempt(leave) },
  ]
}
