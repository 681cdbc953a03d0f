import type { Level } from './law.js'
import type { ReceiverOptions } from './receiver.js'

export interface Options {
  url: string
  token: string[]
  botToken?: string
  level: Level
  only: string[]
  webhookListener?: string
  webhookAddress?: string
  report: string[]
  html?: string
  baseline?: string
  updateBaseline?: true
  list?: true
}

/** The command was called wrongly. */
export class UsageFault extends Error {}

export interface Tokens {
  token: string
  member_token?: string
  bot_token?: string
}

/** A token may have the name of its holder before it: `owner=…`, `member=…`, `bot=…`. */
export function tokensOf({ url, token, botToken }: Options): Tokens {
  const named = new Map(
    token.map((one) => {
      const [, name = 'owner', value = one] = /^(\w+)=(.+)$/.exec(one) ?? []
      return [name, value]
    }),
  )
  const unknown = [...named.keys()].filter((name) => !['owner', 'member', 'bot'].includes(name))
  if (unknown.length > 0)
    throw new UsageFault(`no token is called ${unknown.join(', ')}: there are owner, member and bot`)
  const main = named.get('owner')
  if (!url || !main) throw new UsageFault('--url and --token are needed')
  return { token: main, member_token: named.get('member'), bot_token: botToken ?? named.get('bot') }
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A server on this machine reaches a listener on it; any other one has to be told where. */
export function receiverFor({ url, webhookListener, webhookAddress }: Options): ReceiverOptions | undefined {
  if (!webhookListener)
    return LOOPBACK.test(new URL(url).hostname)
      ? { host: '127.0.0.1', port: 0, address: webhookAddress }
      : undefined
  const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(webhookListener) ?? []
  if (!port) throw new UsageFault(`--webhook-listener is host:port, not ${webhookListener}`)
  return { host, port: Number(port), address: webhookAddress }
}
