import { DAY_MS } from '../platform/time.js'

const TRIGGER_MS = 3_000
/** How long the one attempt to deliver a press may take. */
export const PRESS_MS = 30_000
export const VIEW_MS = DAY_MS

/** A trigger can open a form for three seconds after it was delivered; an undelivered one expires with the attempt. */
export function hasExpired(trigger: { told_at: Date | null; created_at: Date }, now: Date): boolean {
  const from = trigger.told_at?.getTime() ?? trigger.created_at.getTime() + PRESS_MS
  return now.getTime() > from + TRIGGER_MS
}

/** A form can be sent for a day. */
export function viewExpiry(opened_at: Date): Date {
  return new Date(opened_at.getTime() + VIEW_MS)
}

export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

/** Why a press or a form reaches no bot. */
export const UNHEARD =
  'The bot has neither an outgoing address nor an event queue, is suspended, or hears nothing of this chat'
