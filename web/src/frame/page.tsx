import type { ComponentChildren } from 'preact'
import { PaneHead } from './pane-head.js'
import './page.css'
import './rows.css'

interface PageProps {
  title: string
  about?: ComponentChildren
  tools?: ComponentChildren
  /** Between the head and what scrolls. */
  tabs?: ComponentChildren
  children: ComponentChildren
}

/** A screen of its own beside the list of chats: a head, and a column that scrolls. */
export function Page({ title, about, tools, tabs, children }: PageProps) {
  return (
    <main class="page" aria-label={title}>
      <PaneHead back="/" title={title} about={about}>
        {tools}
      </PaneHead>
      {tabs}
      <div class="page-scroll scroll">
        <div class="page-column">{children}</div>
      </div>
    </main>
  )
}
