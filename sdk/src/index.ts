export { type Bot, type BotContext, type BotOptions, type BotSettings, bot, type FormErrors } from './bot.js'
export type { BotEvent, BotEventKind, BotEvents } from './bot-events.js'
export type { CallOptions } from './call.js'
export { type ConnectOptions, connect, type Parley } from './connect.js'
export * from './errors.js'
export type * from './generated/types.js'
export type { Listening, ListenOptions } from './listen.js'
export { type Live, type LiveOptions, live } from './live.js'
export { pages } from './pages.js'
export type { PollOptions } from './poll.js'
export type { Received } from './receive.js'
export { type Sandbox, type SandboxOptions, type SandboxPerson, startSandbox } from './sandbox.js'
export { type NewFile, upload } from './upload.js'
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRequest,
} from './verify-webhook.js'
