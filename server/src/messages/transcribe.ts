import { messageTranscribed } from '@parley/contract'
import { bumpChat } from '../chats/activity-queries.js'
import { type FileRow, findTranscript, listFiles, updateTranscript } from '../files/queries.js'
import { mayBeTranscribed } from '../files/rules.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { NoSuchObject } from '../platform/storage/storage.js'
import { RecordingRefused } from '../platform/transcriber.js'
import { lockLiveMessage } from './queries.js'

/** The common limit of transcription servers; half an hour of compressed speech is below it. */
const RECORDING_AT_MOST_BYTES = 25 * 1024 * 1024

async function readRecording({ storage }: Context, key: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await storage.read(key)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** What is said in a file; undefined where nobody will ever know. Other failures throw, and the job is tried again. */
async function transcriptOf(ctx: Context, file: FileRow): Promise<string | undefined> {
  const known = await findTranscript(ctx.db, file.key)
  if (known !== undefined || !ctx.transcriber) return known
  const about = { file_id: file.id, message_id: file.message_id }
  if (file.size > RECORDING_AT_MOST_BYTES) {
    ctx.log.warn(about, `transcription failed: the recording is larger than ${RECORDING_AT_MOST_BYTES} bytes`)
    return undefined
  }
  try {
    const content = await readRecording(ctx, file.key)
    return await ctx.transcriber.transcribe({ name: file.name, content })
  } catch (error) {
    if (error instanceof RecordingRefused) ctx.log.warn({ ...about, err: error }, 'transcription failed')
    else if (!(error instanceof NoSuchObject)) throw error
    return undefined
  }
}

/** Gives a voice message its transcript, unless the message was deleted meanwhile. It does not count as an edit. */
export async function transcribeMessage(ctx: Context, messageId: number) {
  const files = await listFiles(ctx.db, { message_id: messageId })
  const file = files.find(mayBeTranscribed)
  if (!file) return
  const transcript = await transcriptOf(ctx, file)
  if (transcript === undefined) return
  await transaction(ctx, async (tx) => {
    const message = await lockLiveMessage(tx, messageId)
    if (!message || !(await updateTranscript(tx, file.id, transcript))) return
    await bumpChat(tx, message.chat_id)
    const payload = { message_id: message.id, chat_id: message.chat_id }
    await emit(tx, ctx, message, messageTranscribed, payload)
  })
}
