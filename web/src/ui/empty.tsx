import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.js'
import './empty.css'

/** Shown where there is nothing yet. */
export function Empty({
  icon,
  title,
  text,
  level = 2,
  children,
}: {
  icon: IconName
  title: string
  text?: string
  level?: 1 | 2
  children?: ComponentChildren
}) {
  const Title = level === 1 ? 'h1' : 'h2'
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size="lg" />
      </span>
      <Title class="empty-title">{title}</Title>
      {text && <p class="empty-text">{text}</p>}
      {children}
    </div>
  )
}
