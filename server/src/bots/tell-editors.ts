import { sql } from 'kysely'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { tellPerson } from '../platform/events/notice.js'
import { enqueue } from '../platform/jobs/enqueue.js'

const TEXTS = {
  webhook_paused:
    'Its address has failed for over an hour. What happens meanwhile is kept, and sent on resuming.',
  webhook_disabled: 'Its address answered that it is gone for good, and was taken away.',
}
export type HaltKind = keyof typeof TEXTS

export interface EditorMail {
  user_id: number
  bot_id: number
  kind: HaltKind
}

/** Everybody who may edit the bot: its creator, and admins or chat owners where its settings name them. */
async function listEditors(tx: Tx, botId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select users.id from users, bots
    where bots.user_id = ${botId} and users.deleted_at is null and not users.suspended and not users.bot
      and (users.id = bots.creator_id
        or users.role in ('owner', 'admin') and 'admin' = any (bots.can_edit)
        or 'chat_owners' = any (bots.can_edit) and exists (
          select from chat_members bot
          join chats on chats.id = bot.chat_id and chats.kind in ('conversation', 'channel')
          join chat_members owner on owner.chat_id = bot.chat_id and owner.user_id = users.id
            and owner.role in ('owner', 'admin')
          where bot.user_id = ${botId}))
    order by users.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Tells everybody who may edit the bot why nothing is sent to it: in the app at once, and by mail. */
export async function tellEditors(tx: Tx, ctx: Context, bot_id: number, kind: HaltKind) {
  for (const user_id of await listEditors(tx, bot_id)) {
    await tellPerson(tx, ctx, user_id, { kind, text: TEXTS[kind], bot_id })
    const payload: EditorMail = { user_id, bot_id, kind }
    await enqueue(tx, ctx, { kind: 'webhooks.mail_editor', payload })
  }
}

export async function mailEditor(ctx: Context, { user_id, bot_id, kind }: EditorMail) {
  const people = await ctx.db
    .selectFrom('users')
    .select(['id', 'email', 'first_name'])
    .where('id', 'in', [user_id, bot_id])
    .where('deleted_at', 'is', null)
    .execute()
  const to = people.find(({ id }) => id === user_id)?.email
  const bot = people.find(({ id }) => id === bot_id)?.first_name
  if (!to || !bot) return
  const text = `${TEXTS[kind]}\n\n${ctx.config.app_url}/bots/${bot_id}\n`
  await ctx.mail.send({ to, subject: `Webhooks of ${bot} have stopped`, text })
}
