import type { ComponentChildren } from 'preact'
import { words } from '../platform/i18n.js'
import { ToolLink } from '../ui/button.js'
import './pane-head.css'

interface PaneHeadProps {
  /** Where the arrow of a narrow screen leads. */
  back: string
  title: ComponentChildren
  about?: ComponentChildren
  level?: 1 | 2
  children?: ComponentChildren
}

export function PaneHead({ back, title, about, level = 1, children }: PaneHeadProps) {
  const Title = level === 1 ? 'h1' : 'h2'
  return (
    <header class="pane-head">
      <ToolLink href={back} icon="back" label={words().common.back} class="pane-back" />
      <div class="pane-title">
        <Title data-cut>{title}</Title>
        {about && <div class="pane-about">{about}</div>}
      </div>
      <div class="pane-tools">{children}</div>
    </header>
  )
}
