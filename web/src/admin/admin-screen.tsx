import { useRoute } from 'preact-iso'
import { NotAllowed, NotFound } from '../frame/not-found.js'
import { PaneHead } from '../frame/pane-head.js'
import { Redirect } from '../frame/redirect.js'
import { state } from '../store.js'
import { LinkTabs } from '../ui/link-tabs.js'
import { adminWords } from '../words/admin.js'
import { AuditPage } from './audit-page.js'
import { ChatsPage } from './chats-page.js'
import { DlpPage } from './dlp/dlp-page.js'
import { ExportsPage } from './exports-page.js'
import { FieldsPage } from './fields-page.js'
import { HealthPage } from './health-page.js'
import { ImportPage } from './import/import-page.js'
import { LimitsPage } from './limits-page.js'
import { PeoplePage } from './people-page.js'
import { RetentionPage } from './retention-page.js'
import { SignInPage } from './sign-in/sign-in-page.js'
import { TagsPage } from './tags-page.js'
import { TokensPage } from './tokens-page.js'
import { UsagePage } from './usage-page.js'
import { WorkspacePage } from './workspace-page.js'
import './admin-screen.css'

const FOR_ADMINS = {
  people: PeoplePage,
  tags: TagsPage,
  fields: FieldsPage,
  tokens: TokensPage,
  dlp: DlpPage,
  usage: UsagePage,
  limits: LimitsPage,
} as const
const FOR_OWNER = {
  people: PeoplePage,
  tags: TagsPage,
  fields: FieldsPage,
  chats: ChatsPage,
  tokens: TokensPage,
  audit: AuditPage,
  dlp: DlpPage,
  exports: ExportsPage,
  import: ImportPage,
  retention: RetentionPage,
  workspace: WorkspacePage,
  'sign-in': SignInPage,
  usage: UsagePage,
  limits: LimitsPage,
  health: HealthPage,
} as const
type PageName = keyof typeof FOR_OWNER

/** Running the workspace. Admins see what the server lets them do; the owner sees everything. */
export function AdminRoute() {
  const { title, pages } = adminWords()
  const role = state.session.value?.role
  const wanted = useRoute().params.page ?? ''
  const offered: Partial<typeof FOR_OWNER> = role === 'owner' ? FOR_OWNER : role === 'admin' ? FOR_ADMINS : {}
  const [first] = Object.keys(offered)
  if (!first || (wanted in FOR_OWNER && !(wanted in offered))) return <NotAllowed />
  if (wanted === '') return <Redirect to={`/admin/${first}`} />
  const Page = offered[wanted as PageName]
  if (!Page) return <NotFound />
  return (
    <main class="admin">
      <PaneHead back="/" title={title} />
      <LinkTabs
        label={title}
        links={(Object.keys(offered) as PageName[]).map((page) => ({
          href: `/admin/${page}`,
          label: pages[page],
          current: page === wanted,
        }))}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a page without a button is scrolled by keyboard too. */}
      <div class="admin-scroll scroll" tabIndex={0}>
        <div class="admin-body">
          <Page />
        </div>
      </div>
    </main>
  )
}
