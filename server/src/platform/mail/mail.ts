export interface Message {
  /** One address. */
  to: string
  subject: string
  text: string
  html?: string
  /** Further headers, such as that by which mail programs end a subscription. */
  headers?: Record<string, string>
}

export interface Mail {
  /** Fulfilled when the next hop has taken the message over. */
  send(message: Message): Promise<void>
}
