import type { TimelineMessage } from '@parley/contract'
import { EmojiButton } from '../emoji/emoji-button.js'
import { sayFailure } from '../frame/attempt.js'
import { words } from '../platform/i18n.js'
import { openThread } from '../threads/actions.js'
import { ToolButton } from '../ui/button.js'
import { Menu } from '../ui/menu.js'
import { Toolbar } from '../ui/toolbar.js'
import { toggleReaction } from './actions.js'
import { menuOf } from './message-menu.js'
import { mayWriteIn, quoting } from './quoting.js'
import './actions-bar.css'

/** What can be done with the message that the pointer or the focus is on; there is one such bar at a time. */
export function MessageActions({ message }: { message: TimelineMessage }) {
  const { messages, common } = words()
  const may = mayWriteIn(message.chat_id)
  return (
    <Toolbar label={messages.actions} class="actions-bar">
      <EmojiButton
        label={messages.react}
        class="tool"
        onChoose={(emoji) => void toggleReaction(message, emoji).catch(sayFailure)}
      />
      <ToolButton
        icon="reply"
        label={may ? messages.reply : common.notAllowed}
        disabled={!may}
        onClick={() => {
          quoting.value = message
        }}
      />
      {message.entity_type !== 'thread' && (
        <ToolButton
          icon="thread"
          label={messages.openThread}
          onClick={() => void openThread(message).catch(sayFailure)}
        />
      )}
      <Menu
        label={common.more}
        align="end"
        groups={menuOf(message)}
        trigger={(props) => <ToolButton icon="more" label={common.more} {...props} />}
      />
    </Toolbar>
  )
}
