import type { ComponentChildren } from 'preact'
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
  return (
    <div class="frame" data-pane={pane} data-side={side ? 'open' : undefined}>
      <div class="frame-list">{list}</div>
      <div class="frame-main">{main}</div>
      {side && <div class="frame-side">{side}</div>}
      <div class="frame-tabs">{tabs}</div>
    </div>
  )
}
