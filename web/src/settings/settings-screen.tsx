import { useRoute } from 'preact-iso'
import { NotFound } from '../frame/not-found.js'
import { PaneHead } from '../frame/pane-head.js'
import { Redirect } from '../frame/redirect.js'
import { NotificationsPage } from '../notifications/notifications-page.js'
import { words } from '../platform/i18n.js'
import { LinkTabs } from '../ui/link-tabs.js'
import { ApprovalsPage } from './approvals-page.js'
import { AppsPage } from './apps-page.js'
import { LookPage } from './look-page.js'
import { ProfilePage } from './profile-page.js'
import { SecurityPage } from './security-page.js'
import { SessionsPage } from './sessions-page.js'
import { TokensPage } from './tokens-page.js'
import './settings-screen.css'

const PAGES = {
  profile: ProfilePage,
  look: LookPage,
  notifications: NotificationsPage,
  security: SecurityPage,
  sessions: SessionsPage,
  tokens: TokensPage,
  apps: AppsPage,
  approvals: ApprovalsPage,
} as const
type PageName = keyof typeof PAGES

export function SettingsRoute() {
  const { settings } = words()
  const wanted = useRoute().params.page ?? ''
  if (wanted === '') return <Redirect to="/settings/profile" />
  if (!(wanted in PAGES)) return <NotFound />
  const name = wanted as PageName
  const Page = PAGES[name]
  return (
    <main class="settings">
      <PaneHead back="/" title={settings.title} />
      <LinkTabs
        label={settings.title}
        links={(Object.keys(PAGES) as PageName[]).map((page) => ({
          href: `/settings/${page}`,
          label: settings.pages[page],
          current: page === name,
        }))}
      />
      <div class="settings-scroll scroll">
        <div class="settings-body">
          <Page />
        </div>
      </div>
    </main>
  )
}
