import type { ComponentChildren } from 'preact'
import { useNarrow } from '../platform/narrow.js'
import './frame.css'

/** Which pane a narrow screen shows; a wide one shows all there are. */
export type Pane = 'list' | 'main' | 'side'

interface FrameProps {
  pane: Pane
  list: ComponentChildren
  main: ComponentChildren
  /** A thread, members, pins: beside the chat on wide screens, over it on others. */
  side?: ComponentChildren
  tabs: ComponentChildren
}

export function Frame({ pane, list, main, side, tabs }: FrameProps) {
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
}
