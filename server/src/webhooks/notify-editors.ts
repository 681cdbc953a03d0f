import { type JobPayload, mailEditorJob } from '@parley/contract'
import { listEditorIds } from '../bots/queries.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { notifyPerson } from '../platform/events/notice.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { type Language, readLanguage } from '../users/language-queries.js'
import { listMailed } from './queries.js'

const EN = {
  subject: (bot: string) => `Webhooks of ${bot} have stopped`,
  address: 'Its address',
  endpoint: (name: string) => `Its endpoint “${name}”`,
  webhook_paused: 'has failed for over an hour. What happens meanwhile is kept, and sent on resuming.',
  webhook_disabled: 'answered that it is gone for good; nothing is sent there any more.',
}
const WORDS: Record<Language, typeof EN> = {
  en: EN,
  ru: {
    subject: (bot) => `Вебхуки бота «${bot}» остановлены`,
    address: 'Адрес бота',
    endpoint: (name) => `Адрес «${name}»`,
    webhook_paused:
      'не отвечает больше часа. События сохраняются и будут отправлены, когда вы возобновите доставку.',
    webhook_disabled: 'ответил, что больше не существует; события туда не отправляются.',
  },
}
export type HaltKind = 'webhook_paused' | 'webhook_disabled'

const textOf = (words: typeof EN, kind: HaltKind, endpoint: string | undefined) =>
  `${endpoint === undefined ? words.address : words.endpoint(endpoint)} ${words[kind]}`

type EditorMail = JobPayload<typeof mailEditorJob>

/** Tells everybody who may edit the bot why nothing is sent to it: in the app at once, and by mail. */
export async function notifyEditors(tx: Tx, ctx: Context, bot_id: number, kind: HaltKind, endpoint?: string) {
  const text = textOf(EN, kind, endpoint)
  for (const user_id of await listEditorIds(tx, bot_id)) {
    await notifyPerson(tx, ctx, user_id, { kind, text, bot_id })
    await enqueue(tx, ctx, mailEditorJob, { user_id, bot_id, kind, ...(endpoint && { endpoint }) })
  }
}

export async function mailEditor(ctx: Context, { user_id, bot_id, kind, endpoint }: EditorMail) {
  const people = await listMailed(ctx.db, [user_id, bot_id])
  const to = people.find(({ id }) => id === user_id)?.email
  const bot = people.find(({ id }) => id === bot_id)?.first_name
  if (!to || !bot) return
  const words = WORDS[await readLanguage(ctx.db, user_id)]
  const text = `${textOf(words, kind, endpoint)}\n\n${ctx.config.app_url}/bots/${bot_id}\n`
  await ctx.mail.send({ to, subject: words.subject(bot), text })
}
