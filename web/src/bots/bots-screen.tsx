import type { BotResponse } from '@parley/contract'
import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useRoute } from 'preact-iso'
import { isGuest } from '../account/guest.js'
import { NotAllowed, NotFound } from '../frame/not-found.js'
import { PaneHead } from '../frame/pane-head.js'
import { Reading, ReadingFailed } from '../frame/waiting.js'
import { ApiFailure, call } from '../platform/api.js'
import { refusalText } from '../platform/refusal.js'
import { LinkTabs } from '../ui/link-tabs.js'
import { botWords } from '../words/bots.js'
import { BotList } from './bot-list.js'
import type { BotPageProps } from './bot-page.js'
import { Catalogue } from './catalogue.js'
import { DeliveriesPage } from './deliveries-page.js'
import { DesignerPage } from './designer-page.js'
import { EndpointsPage } from './endpoints-page.js'
import { InboundPage } from './inbound-page.js'
import { NewBot } from './new-bot.js'
import { SettingsPage } from './settings-page.js'
import { TokensPage } from './tokens-page.js'
import { WebhookPage } from './webhook-page.js'
import '../settings/settings-screen.css'
import './bots-screen.css'

const PAGES: Record<string, ComponentType<BotPageProps>> = {
  settings: SettingsPage,
  tokens: TokensPage,
  webhook: WebhookPage,
  endpoints: EndpointsPage,
  deliveries: DeliveriesPage,
  inbound: InboundPage,
  designer: DesignerPage,
}
type PageName = keyof ReturnType<typeof botWords>['pages']

/** `/bots`, `/bots/new` and `/bots/catalogue`. */
export function BotsRoute() {
  const bots = botWords()
  const place = useRoute().params.id ?? ''
  const Place = { '': BotList, new: NewBot, catalogue: Catalogue }[place]
  if (isGuest()) return <NotAllowed />
  if (!Place) return <NotFound />
  const links = [
    { href: '/bots', label: bots.places.own, current: place === '' },
    { href: '/bots/catalogue', label: bots.places.catalogue, current: place === 'catalogue' },
  ]
  return (
    <main class="settings">
      <PaneHead back={place === 'new' ? '/bots' : '/'} title={bots.title} />
      <LinkTabs label={bots.title} links={links} />
      <Scroll>
        <Place />
      </Scroll>
    </main>
  )
}

/** `/bots/7/settings` and the other pages of one bot. */
export function BotRoute() {
  const bots = botWords()
  const { id = '', page = '' } = useRoute().params
  const { bot, failure, setBot, read } = useBot(id)
  const Page = PAGES[page]
  if (!Page || failure === 'gone') return <NotFound />
  return (
    <main class="settings">
      <PaneHead
        back="/bots"
        title={bot?.webhook.name ?? bots.title}
        about={bot && `@${bot.webhook.nickname}`}
      />
      <LinkTabs
        label={bots.title}
        links={(Object.keys(PAGES) as PageName[]).map((name) => ({
          href: `/bots/${id}/${name}`,
          label: bots.pages[name],
          current: name === page,
        }))}
      />
      <Scroll wide={page === 'designer' || page === 'deliveries'}>
        {failure && <ReadingFailed text={failure} onRetry={() => void read()} />}
        {!failure && !bot && <Reading />}
        {bot && <Page key={`${bot.id}`} bot={bot} onChange={setBot} />}
      </Scroll>
    </main>
  )
}

function Scroll({ wide = false, children }: { wide?: boolean; children: preact.ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a page without a button is scrolled by keyboard too.
    <div class="settings-scroll scroll" tabIndex={0}>
      <div class={`settings-body ${wide ? 'bots-wide' : ''}`}>{children}</div>
    </div>
  )
}

function useBot(id: string) {
  const [bot, setBot] = useState<BotResponse | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  async function read() {
    setFailure(null)
    if (!/^\d{1,15}$/.test(id)) return setFailure('gone')
    try {
      setBot((await call('getBot', { params: { id: Number(id) } })).data)
    } catch (error) {
      const hidden = error instanceof ApiFailure && (error.status === 404 || error.status === 403)
      setFailure(hidden ? 'gone' : refusalText(error))
    }
  }
  useEffect(() => {
    setBot(null)
    void read()
  }, [id])
  return { bot: bot && String(bot.id) === id ? bot : null, failure, setBot, read }
}
