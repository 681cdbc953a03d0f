import { Icon } from './icon.js'
import './avatar.css'

interface AvatarProps {
  /** Chooses the hue where there is no picture. */
  id: number
  name: string
  image_url?: string | null
  bot?: boolean
  size?: 'tiny' | 'small' | 'medium' | 'large'
  presence?: 'active' | 'away'
}

/** Hues far apart for ids that follow each other. */
const hueOf = (id: number) => Math.round((id * 137.508) % 360)

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  const initials = letters.map((word) => [...(word ?? '')][0] ?? '').join('')
  return initials.toLocaleUpperCase()
}

/** Decoration beside a name, so that screen readers skip it. */
export function Avatar({ id, name, image_url, bot = false, size = 'medium', presence }: AvatarProps) {
  return (
    <span
      class={`avatar avatar-${size} ${bot ? 'avatar-bot' : ''} ${presence ? 'avatar-here' : ''}`}
      style={{ '--hue': hueOf(id) }}
      aria-hidden="true"
    >
      {image_url ? (
        <img class="avatar-picture" src={image_url} alt="" loading="lazy" decoding="async" />
      ) : bot ? (
        <Icon name="bot" size={size === 'tiny' || size === 'small' ? 'sm' : 'md'} />
      ) : (
        initialsOf(name)
      )}
      {presence && <span class={`avatar-presence avatar-${presence}`} />}
    </span>
  )
}
