import { titleOf } from '../chats/entry.js'
import { PaneHead } from '../frame/pane-head.js'
import { NotRead } from '../frame/waiting.js'
import { words } from '../platform/i18n.js'
import { useNarrow } from '../platform/narrow.js'
import { useUntilAnswered } from '../platform/use-until-answered.js'
import { state } from '../store.js'
import { readChat } from '../sync.js'
import { ToolLink } from '../ui/button.js'
import { LinkTabs } from '../ui/link-tabs.js'
import { AboutPanel } from './about-panel.js'
import { FilesPanel } from './files-panel.js'
import { MembersPanel } from './members-panel.js'
import { PinsPanel } from './pins-panel.js'
import '../frame/rows.css'
import './chat-panel.css'

const PANELS = { about: AboutPanel, members: MembersPanel, pins: PinsPanel, files: FilesPanel } as const
type PanelName = keyof typeof PANELS

/** What belongs to a chat, beside it: about it, its members, pins and files. Each has an address. */
export function ChatPanel({ chat_id, panel }: { chat_id: number; panel: string }) {
  const { panels, common } = words()
  const card = state.chats.value.get(chat_id)
  const waiting = useUntilAnswered(() => (card ? null : readChat(chat_id)), [chat_id])
  // Where it fills the screen, it is the main thing there.
  const narrow = useNarrow()
  const Pane = narrow ? 'main' : 'aside'
  const at = `/chats/${chat_id}`
  const name: PanelName = panel in PANELS ? (panel as PanelName) : 'about'
  const Panel = PANELS[name]
  const names = (Object.keys(PANELS) as PanelName[]).filter(
    (one) => one !== 'members' || card?.kind !== 'personal',
  )
  return (
    <Pane class="panel" aria-label={panels.titles[name]}>
      <PaneHead
        back={at}
        level={narrow ? 1 : 2}
        title={panels.titles[name]}
        about={card && <span>{titleOf(card)}</span>}
      >
        <ToolLink href={at} icon="close" label={common.close} class="only-wide" />
      </PaneHead>
      <LinkTabs
        label={panels.parts}
        links={names.map((one) => ({
          href: `${at}?panel=${one}`,
          label: panels.tabs[one],
          current: one === name,
        }))}
      />
      <div class="panel-scroll scroll">
        {card ? <Panel key={`${name}${chat_id}`} card={card} /> : <NotRead {...waiting} />}
      </div>
    </Pane>
  )
}
