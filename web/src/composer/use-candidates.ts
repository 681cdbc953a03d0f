import { useOptions } from '../ui/options.js'
import { commandAt, mentionAt } from './marks.js'
import { insertedText, useCommands, useMentions } from './use-mentions.js'
import type { Text } from './use-text.js'

/** People, groups or commands that fit what is typed before the caret. */
export function useCandidates({ text, caret, complete }: Text, chat_id: number | null) {
  const mention = mentionAt(text, caret)
  const command = commandAt(text, caret)
  const named = useMentions(mention?.query ?? null, chat_id)
  const commands = useCommands(command?.query ?? null, chat_id)
  const found = command ? commands : named
  const options = useOptions(found.length, choose)

  function choose(index: number) {
    const one = found[index]
    const at = command ?? mention
    if (one && at) complete(at.start, `${insertedText(one)} `)
  }

  return { found, options, choose }
}
