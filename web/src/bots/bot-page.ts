import type { BotResponse } from '@parley/contract'

export interface BotPageProps {
  bot: BotResponse
  /** What the server answered after a change. */
  onChange(bot: BotResponse): void
}
