import { mailDigestJob } from '@parley/contract'
import { readWorkspaceName } from '../company/queries.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { found } from '../platform/problem.js'
import { seal, unseal } from '../platform/seal.js'
import { readLanguage } from '../users/language-queries.js'
import { type Digest, type DigestChat, htmlOf, subjectOf, textOf } from './digest-mail.js'
import { findDue, listDue, listUnreadFacts, updateDigestSent } from './digest-queries.js'
import type { FactRow } from './fact-queries.js'
import { isTold } from './rules.js'
import { readSettings, updateSettings } from './settings.js'

const LOOKED_AT = 500
const MAILED_AT_MOST = 30
const TEXT_AT_MOST = 500
const PURPOSE = 'mail digest'
const SEALED_AT_LEAST = 29

/** A letter for each person who is due one; whether there is anything to say is seen when it is written. */
export async function planDigests(ctx: Context) {
  const people = await listDue(ctx.db, now(ctx.clock))
  if (people.length === 0) return
  await transaction(ctx, async (tx) => {
    for (const user_id of people)
      await enqueue(tx, ctx, mailDigestJob, { user_id }, { key: `digest:${user_id}` })
  })
}

function pathOf({ chat_id, thread_id, parent_chat_id }: FactRow): string {
  return thread_id === null ? `/chats/${chat_id}` : `/chats/${parent_chat_id ?? chat_id}?thread=${thread_id}`
}

function messageOf({ author, content, file_names }: FactRow) {
  const text = content || (file_names ?? '')
  return { author, text: text.length > TEXT_AT_MOST ? `${text.slice(0, TEXT_AT_MOST)}…` : text }
}

/** Chat by chat, the one with the newest message first, each in the order of writing. */
function groupByChat(ctx: Context, rows: readonly FactRow[]): DigestChat[] {
  const chats = new Map<number, DigestChat>()
  for (const row of rows) {
    const name = row.kind === 'personal' ? null : row.chat_name
    const chat = chats.get(row.chat_id) ?? { name, url: ctx.config.app_url + pathOf(row), messages: [] }
    chat.messages.unshift(messageOf(row))
    chats.set(row.chat_id, chat)
  }
  return [...chats.values()]
}

const tokenFor = (ctx: Context, userId: number) =>
  seal(ctx.secret, PURPOSE, String(userId)).toString('base64url')

/** Mails what a person who is away has not read, chat by chat; nothing where there is nothing. */
export async function mailDigest(ctx: Context, userId: number) {
  const at = now(ctx.clock)
  const person = await findDue(ctx.db, userId, at)
  if (!person) return
  const unread = await listUnreadFacts(ctx.db, userId, person.since, LOOKED_AT)
  const told = unread.filter((row) => isTold(row, at.getTime(), 'mail'))
  if (told.length === 0) return
  const token = tokenFor(ctx, userId)
  const { app_url, public_url, api_prefixes } = ctx.config
  const digest: Digest = {
    language: await readLanguage(ctx.db, userId),
    workspace: await readWorkspaceName(ctx.db),
    chats: groupByChat(ctx, told.slice(0, MAILED_AT_MOST)),
    count: told.length,
    settings_url: `${app_url}/settings/notifications`,
    stop_url: `${app_url}/unsubscribe/${token}`,
  }
  await ctx.mail.send({
    to: person.email,
    subject: subjectOf(digest),
    text: textOf(digest),
    html: htmlOf(digest),
    headers: {
      'List-Unsubscribe': `<${public_url}${api_prefixes[0]}/mail_digests/${token}/stop>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  })
  await transaction(ctx, (tx) => updateDigestSent(tx, userId, at))
}

/** Turns digests off for the person to whom the letter went. */
export async function stopDigest(ctx: Context, token: string) {
  const sealed = Buffer.from(token, 'base64url')
  const opened = sealed.length < SEALED_AT_LEAST ? undefined : unseal(ctx.secret, PURPOSE, sealed)
  const user_id = Number(found(opened, { key: 'token', value: token }))
  const { mail_digest } = await readSettings(ctx.db, user_id)
  if (mail_digest !== 'off') await updateSettings(ctx, { user_id }, { mail_digest: 'off' })
}
