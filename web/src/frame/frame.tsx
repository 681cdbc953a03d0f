import type { ComponentChildren } from 'preact'
import { memo } from 'preact/compat'
import { useLocation } from 'preact-iso'
import { useNarrow } from '../platform/narrow.js'
import './frame.css'

/** Which pane a narrow screen shows; a wide one shows all there are. */
type Pane = 'list' | 'main' | 'side'

interface PanesProps {
  list: ComponentChildren
  main: ComponentChildren
  /** A thread, members, pins: beside the chat on wide screens, over it on others. */
  side?: ComponentChildren
  tabs: ComponentChildren
}

export function Panes({ side, ...panes }: PanesProps) {
  const { path, query } = useLocation()
  const hasSide = query.thread !== undefined || query.panel !== undefined
  const pane = path === '/' ? 'list' : hasSide ? 'side' : 'main'
  return <Frame {...panes} pane={pane} side={hasSide ? side : undefined} />
}

/**
 * Drawn again only where other panes are shown: each drawing has elements of its own, and one of the list that is still in use
 * somewhere would hold, through its parents, the chat that was open then.
 */
const Frame = memo(({ pane, list, main, side, tabs }: PanesProps & { pane: Pane }) => {
  // Alone on a narrow screen, the list is the main thing there.
  const List = useNarrow() && pane === 'list' ? 'main' : 'div'
  return (
    <div class="frame" data-pane={pane} data-side={side ? 'open' : undefined}>
      <List class="frame-list">{list}</List>
      <div class="frame-main">{main}</div>
      {side && <div class="frame-side">{side}</div>}
      <div class="frame-tabs">{tabs}</div>
    </div>
  )
})
