/** What is counted: the token alone, the token in one chat, the client address, the account signed in to, or the inbound key. */
export type RateKey = 'token' | 'token-and-chat' | 'address' | 'account' | 'webhook-key'

export interface RateWindow {
  name: string
  requests: number
  window_s: number
  by: RateKey
}

/** The windows a call of each class is counted in. Every window must have room. */
export const RATES = {
  'inbound-webhook': [{ name: 'inbound-webhook', requests: 10, window_s: 1, by: 'webhook-key' }],
  'messages-write': [
    { name: 'messages-chat', requests: 4, window_s: 1, by: 'token-and-chat' },
    { name: 'messages-all', requests: 30, window_s: 5, by: 'token' },
  ],
  'messages-read': [{ name: 'messages-read', requests: 10, window_s: 1, by: 'token' }],
  other: [{ name: 'other', requests: 50, window_s: 1, by: 'token' }],
  /** Everything that a session reads, whatever the class of the operation: all tabs of a client share one session. */
  'session-read': [{ name: 'session-read', requests: 50, window_s: 1, by: 'token' }],
  'events-poll': [{ name: 'events-poll', requests: 5, window_s: 2, by: 'token' }],
  company: [{ name: 'company', requests: 30, window_s: 60, by: 'token' }],
  'chats-page': [{ name: 'chats-page', requests: 10, window_s: 1, by: 'token' }],
  'sign-in': [{ name: 'sign-in', requests: 20, window_s: 60, by: 'address' }],
  /** Beside the address: a password is not guessed from many addresses either. */
  'sign-in-account': [{ name: 'sign-in-account', requests: 30, window_s: 900, by: 'account' }],
  /** Requests of an identity provider, by its token. */
  scim: [{ name: 'scim', requests: 50, window_s: 1, by: 'token' }],
  upload: [{ name: 'upload', requests: 20, window_s: 1, by: 'address' }],
  anonymous: [{ name: 'anonymous', requests: 50, window_s: 1, by: 'address' }],
} as const satisfies Record<string, readonly RateWindow[]>

export type RateClass = keyof typeof RATES
