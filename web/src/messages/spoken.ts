import type { TimelineMessage } from '@parley/contract'
import type { Run } from './state.js'

/** What comes within this time after something was said is said together. */
const PAUSE_MS = 3000

const NOTHING: readonly TimelineMessage[] = []

/** What others wrote since: messages at the newest end of a chat that were not among those before, and no page of history. */
export function arrived(
  before: Run | undefined,
  now: Run | undefined,
  me: number,
): readonly TimelineMessage[] {
  if (!before || !now || before.stale || now.stale || before.has_newer || now.has_newer) return NOTHING
  const last = before.messages.at(-1)?.id ?? 0
  const from = now.messages.findLastIndex(({ id }) => id <= last) + 1
  return now.messages
    .slice(from)
    .filter(({ user_id, system, deleted_at }) => user_id !== me && !system && !deleted_at)
}

interface Speech {
  add(messages: readonly TimelineMessage[]): void
  close(): void
}

/** Says a message at once, and what follows it soon together; what was said is taken away where nothing follows. */
export function createSpeech(say: (messages: readonly TimelineMessage[]) => void): Speech {
  let waiting: TimelineMessage[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function next() {
    const messages = waiting
    waiting = []
    timer = messages.length > 0 ? setTimeout(next, PAUSE_MS) : undefined
    say(messages)
  }

  return {
    add(messages) {
      waiting.push(...messages)
      if (timer === undefined && waiting.length > 0) next()
    },
    close: () => clearTimeout(timer),
  }
}
