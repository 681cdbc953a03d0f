import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'
import './empty.css'

/** What stands where there is nothing yet. */
export function Empty({
  icon,
  title,
  text,
  children,
}: {
  icon: IconName
  title: string
  text?: string
  children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size="lg" />
      </span>
      <h2 class="empty-title">{title}</h2>
      {text && <p class="empty-text">{text}</p>}
      {children}
    </div>
  )
}
