import type { ComponentChildren } from 'preact'
import { memo } from 'preact/compat'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from 'preact-iso'
import { SignIn } from './account/sign-in.js'
import { ChatRoute } from './chats/chat-screen.js'
import { SectionHost } from './chats/section-host.js'
import { Sidebar } from './chats/sidebar.js'
import { FormHost } from './forms/form-host.js'
import { Banner } from './frame/banner.js'
import { BottomTabs } from './frame/bottom-tabs.js'
import { BrokenScreen } from './frame/broken-screen.js'
import { Panes } from './frame/frame.js'
import { HelpSheet } from './frame/help-sheet.js'
import { KeptFocus } from './frame/kept-focus.js'
import { lazyScreen } from './frame/lazy-screen.js'
import { NotFound } from './frame/not-found.js'
import { SidePane } from './frame/side-pane.js'
import { SkipLink } from './frame/skip-link.js'
import { Starting } from './frame/starting.js'
import { Welcome } from './frame/welcome.js'
import { MediaHost } from './media/media-host.js'
import { followAttention } from './notifications/attention.js'
import { followOwnPresence } from './people/own-presence.js'
import { PersonCardHost } from './people/person-card.js'
import { StatusHost } from './status/status-host.js'
import { SwitcherHost } from './switcher/switcher-host.js'
import { outdated, phase } from './sync.js'
import { ConfirmHost } from './ui/confirm.js'
import { ToastHost } from './ui/toast.js'
import { TooltipHost } from './ui/tooltip.js'

const LinkPages = lazyScreen(() => import('./account/link-pages.js').then(({ LinkPages }) => LinkPages))
const ProtectFirst = lazyScreen(() => import('./account/protect-first.js').then((all) => all.ProtectFirst))
const AdminRoute = lazyScreen(() => import('./admin/admin-screen.js').then((all) => all.AdminRoute))
const BotsRoute = lazyScreen(() => import('./bots/bots-screen.js').then((all) => all.BotsRoute))
const BotRoute = lazyScreen(() => import('./bots/bots-screen.js').then((all) => all.BotRoute))
const SettingsRoute = lazyScreen(() =>
  import('./settings/settings-screen.js').then((all) => all.SettingsRoute),
)
const BrowseRoute = lazyScreen(() => import('./chats/browse.js').then((all) => all.BrowseRoute))
const NewChatRoute = lazyScreen(() => import('./chats/new-chat.js').then((all) => all.NewChatRoute))
const PeopleRoute = lazyScreen(() => import('./people/people-screen.js').then((all) => all.PeopleRoute))
const PersonRoute = lazyScreen(() => import('./people/person-screen.js').then((all) => all.PersonRoute))
const NoticesRoute = lazyScreen(() => import('./notices/notices-screen.js').then((all) => all.NoticesRoute))
const TasksRoute = lazyScreen(() => import('./tasks/tasks-screen.js').then((all) => all.TasksRoute))

const ExportRoute = lazyScreen(() => import('./frame/export-page.js').then((all) => all.ExportRoute))
const NoMeeting = lazyScreen(() => import('./frame/no-meeting.js').then((all) => all.NoMeeting))

/** Addresses that work without being signed in. */
const DOORS = /^\/(invite|forgot|reset)(\/|$)/
const UnsubscribeRoute = lazyScreen(() =>
  import('./notifications/unsubscribe.js').then((all) => all.UnsubscribeRoute),
)
const LaterScreen = lazyScreen(() => import('./later/later-screen.js').then((all) => all.LaterScreen))
const SearchScreen = lazyScreen(() => import('./search/search-screen.js').then((all) => all.SearchScreen))
const ThreadsScreen = lazyScreen(() => import('./threads/threads-screen.js').then((all) => all.ThreadsScreen))
const UnreadScreen = lazyScreen(() => import('./unread/unread-screen.js').then((all) => all.UnreadScreen))

export function App() {
  return (
    <LocationProvider>
      <ErrorBoundary>
        <Screen />
      </ErrorBoundary>
      <ConfirmHost />
      <ToastHost />
      <TooltipHost />
    </LocationProvider>
  )
}

function Screen() {
  const { path } = useLocation()
  if (DOORS.test(path))
    return (
      <Router>
        <Route path="/:page/:token?" component={LinkPages} />
        <Route default component={NotFound} />
      </Router>
    )
  if (path.startsWith('/unsubscribe/'))
    return (
      <Router>
        <Route path="/unsubscribe/:token" component={UnsubscribeRoute} />
        <Route default component={NotFound} />
      </Router>
    )
  if (path.startsWith('/meet/'))
    return (
      <Router>
        <Route path="/meet/:room" component={NoMeeting} />
        <Route default component={NotFound} />
      </Router>
    )
  if (phase.value === 'signed_out') return <SignIn />
  if (phase.value === 'unprotected') return <ProtectFirst />
  if (phase.value !== 'ready') return <Starting />
  return <Workspace />
}

interface GuardedProps {
  pane: 'list' | 'main' | 'side'
  children: ComponentChildren
}

/** Apart from what does not change with the address. */
function Guarded({ pane, children }: GuardedProps) {
  return (
    <BrokenScreen path={useLocation().url} pane={pane}>
      {children}
    </BrokenScreen>
  )
}

/** Everything behind the sign-in, which stays as it is whatever the address. A screen is one line here. */
const Workspace = memo(() => {
  useEffect(followOwnPresence, [])
  useEffect(() => followAttention(() => (outdated.value = true)), [])
  return (
    <>
      <KeptFocus />
      <SkipLink />
      <Banner />
      <HelpSheet />
      <SwitcherHost />
      <StatusHost />
      <SectionHost />
      <PersonCardHost />
      <FormHost />
      <MediaHost />
      <Panes
        list={
          <Guarded pane="list">
            <Sidebar />
          </Guarded>
        }
        main={
          <Guarded pane="main">
            <Router>
              <Route path="/" component={Welcome} />
              <Route path="/chats/:id" component={ChatRoute} />
              <Route path="/browse" component={BrowseRoute} />
              <Route path="/new" component={NewChatRoute} />
              <Route path="/people" component={PeopleRoute} />
              <Route path="/people/:id" component={PersonRoute} />
              <Route path="/notices" component={NoticesRoute} />
              <Route path="/tasks" component={TasksRoute} />
              <Route path="/settings/:page?" component={SettingsRoute} />
              <Route path="/admin/:page?" component={AdminRoute} />
              <Route path="/bots" component={BotsRoute} />
              <Route path="/bots/:id" component={BotsRoute} />
              <Route path="/bots/:id/:page" component={BotRoute} />
              <Route path="/full_exports/:id" component={ExportRoute} />
              <Route path="/later" component={LaterScreen} />
              <Route path="/search" component={SearchScreen} />
              <Route path="/threads" component={ThreadsScreen} />
              <Route path="/unread" component={UnreadScreen} />
              <Route default component={NotFound} />
            </Router>
          </Guarded>
        }
        side={
          <Guarded pane="side">
            <SidePane />
          </Guarded>
        }
        tabs={<BottomTabs />}
      />
    </>
  )
})
