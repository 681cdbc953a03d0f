import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.js'
import { openPrivateFolder } from '../private-folder.js'
import type { Mail, Message } from './mail.js'

export interface SentMail {
  to: string
  subject: string
  text: string
  at: Date
}

export interface OutboxMail extends Mail {
  /** What was sent so far, newest last. */
  list(): Promise<SentMail[]>
}

/** Writes mail to a folder, a file each, where no mail server is at hand. */
export function createOutboxMail(options: { folder: string; clock: Clock }): OutboxMail {
  const { folder, clock } = options
  let sent = 0

  return {
    async send(message) {
      const at_ms = clock.now()
      const name = `${pad(at_ms, 15)}-${pad(sent++, 6)}-${randomUUID()}.eml`
      // Invitations and the like: who reads one can use it.
      await openPrivateFolder(folder)
      await writeFile(join(folder, `${name}.part`), compose(message, new Date(at_ms)), { mode: 0o600 })
      await rename(join(folder, `${name}.part`), join(folder, name))
    },
    async list() {
      const names = await readdir(folder).catch(noneYet)
      const mails = names.filter((name) => name.endsWith('.eml')).sort()
      return Promise.all(mails.map(async (name) => parse(await readFile(join(folder, name), 'utf8'))))
    },
  }
}

function compose({ to, subject, text, html, headers = {} }: Message, at: Date): string {
  const boundary = randomUUID()
  const parts = [part(boundary, 'text/plain', text)]
  if (html !== undefined) parts.push(part(boundary, 'text/html', html))
  const head = [
    `To: ${oneLine(to)}`,
    `Subject: ${oneLine(subject)}`,
    `Date: ${at.toISOString()}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${oneLine(value)}`),
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary=${boundary}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${parts.join('')}--${boundary}--\r\n`
}

function part(boundary: string, type: string, content: string) {
  const head = [`--${boundary}`, `Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit']
  return `${head.join('\r\n')}\r\n\r\n${content}\r\n`
}

function parse(file: string): SentMail {
  const header = (name: string) => new RegExp(`^${name}: (.*)\\r$`, 'm').exec(file)?.[1] ?? ''
  const boundary = `--${/boundary=(\S+)\r$/m.exec(file)![1]}`
  const firstPart = file.slice(
    file.indexOf(`\r\n${boundary}`) + 2,
    file.indexOf(`\r\n${boundary}`, endOfHead(file)),
  )
  const text = firstPart.slice(endOfHead(firstPart))
  return { to: header('To'), subject: header('Subject'), text, at: new Date(header('Date')) }
}

function endOfHead(text: string) {
  return text.indexOf('\r\n\r\n') + 4
}

function oneLine(text: string) {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ')
}

function pad(value: number, digits: number) {
  return String(Math.floor(value)).padStart(digits, '0')
}

function noneYet(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
