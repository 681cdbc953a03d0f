import type { ReactionGroup, TimelineMessage } from '@parley/contract'
import { EmojiButton } from '../emoji/emoji-button.js'
import { sayFailure } from '../frame/attempt.js'
import { reactorsOf } from '../media/reactors-dialog.js'
import { listNames } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { toggleReaction } from './actions.js'
import './reaction-bar.css'

function react(message: TimelineMessage, code: string, name: string | null = null) {
  void toggleReaction(message, code, name).catch(sayFailure)
}

export function ReactionBar({ message }: { message: TimelineMessage }) {
  if (message.reactions.length === 0) return null
  const { messages } = words()
  return (
    <div class="reactions">
      {message.reactions.map((group) => (
        <Reaction
          key={group.code + group.name}
          group={group}
          onToggle={() => react(message, group.code, group.name)}
          onAskWho={() => {
            reactorsOf.value = { message, group }
          }}
        />
      ))}
      <EmojiButton
        label={messages.addReaction}
        class="reaction reaction-add"
        onChoose={(emoji) => react(message, emoji)}
      />
    </div>
  )
}

interface ReactionProps {
  group: ReactionGroup
  onToggle(): void
  onAskWho(): void
}

/** Pressed, it adds or takes back the own reaction; the context menu (a long press) shows who reacted. */
function Reaction({ group, onToggle, onAskWho }: ReactionProps) {
  const who = listNames(group.user_ids, group.count)
  return (
    <button
      type="button"
      class="reaction"
      aria-pressed={group.mine}
      aria-label={words().messages.reaction(group.code, group.count)}
      data-tip={who}
      onClick={onToggle}
      onContextMenu={(event) => {
        event.preventDefault()
        onAskWho()
      }}
    >
      <span aria-hidden="true">{group.code}</span>
      {group.count}
    </button>
  )
}
