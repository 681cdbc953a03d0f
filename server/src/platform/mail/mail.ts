export interface Message {
  /** One address. */
  to: string
  subject: string
  text: string
  html?: string
}

export interface Mail {
  /** Fulfilled when the next hop has taken the message over. */
  send(message: Message): Promise<void>
}
