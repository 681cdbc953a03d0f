import { state } from '../store.js'
import { Avatar } from '../ui/avatar.js'
import { personAt } from './names.js'

interface PersonAvatarProps {
  id: number
  size?: 'tiny' | 'small' | 'medium' | 'large'
  /** With a dot that says whether they are here. */
  withPresence?: boolean
}

export function PersonAvatar({ id, size = 'medium', withPresence = false }: PersonAvatarProps) {
  const { name, image_url, bot, status } = personAt(id)
  const here = state.presence.value.get(id)
  const shown = here === 'active' && status?.away ? 'away' : here
  const presence = withPresence && (shown === 'active' || shown === 'away') ? { presence: shown } : {}
  return <Avatar id={id} name={name} image_url={image_url} bot={bot} size={size} {...presence} />
}
