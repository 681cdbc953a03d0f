import { useEffect, useState } from 'preact/hooks'
import { useOptions } from '../ui/options.js'
import { commandAt, emojiAt, mentionAt } from './marks.js'
import { useEmoji } from './use-emoji.js'
import { insertedText, useCommands, useMentions } from './use-mentions.js'
import type { Text } from './use-text.js'

/** People, groups, commands or emoji that fit what is typed before the caret. */
export function useCandidates({ text, caret, complete }: Text, chat_id: number | null) {
  const mention = mentionAt(text, caret)
  const command = commandAt(text, caret)
  const emoji = emojiAt(text, caret)
  const at = command ?? mention ?? emoji
  const named = useMentions(mention?.query ?? null, chat_id)
  const commands = useCommands(command?.query ?? null, chat_id)
  const drawn = useEmoji(emoji?.query ?? null)
  /** Where the person wants no suggestions. */
  const [closedAt, setClosedAt] = useState<number | null>(null)
  useEffect(() => {
    if (at === null) setClosedAt(null)
  }, [at === null])
  const fitting = command ? commands : mention ? named : drawn
  const found = at?.start === closedAt ? [] : fitting
  const options = useOptions(found.length, choose)

  function choose(index: number) {
    const one = found[index]
    if (one && at) complete(at.start, `${insertedText(one)} `)
  }

  /** True when the key was used. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (found.length === 0 || !at) return false
    if (event.key !== 'Escape') return options.onKeyDown(event)
    event.preventDefault()
    setClosedAt(at.start)
    return true
  }

  return { found, options, choose, onKeyDown }
}
