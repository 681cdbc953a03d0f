import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../ui/icon.js'
import './things.css'

/** A list of what belongs to the person: sessions, tokens, apps. */
export function Things({ children }: { children: ComponentChildren }) {
  return <ul class="things">{children}</ul>
}

interface ThingProps {
  icon: IconName
  name: string
  badge?: string | undefined
  about: readonly (string | null | undefined | false)[]
  /** What can be done with it. */
  children?: ComponentChildren
}

export function Thing({ icon, name, badge, about, children }: ThingProps) {
  return (
    <li class="thing">
      <Icon name={icon} />
      <span class="thing-about">
        <b>{name}</b>
        {badge && <span class="thing-badge">{badge}</span>}
        <span class="quiet">{about.filter(Boolean).join(' · ')}</span>
      </span>
      {children && <span class="thing-tools">{children}</span>}
    </li>
  )
}
