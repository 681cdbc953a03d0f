import { asObject, filled, type JsonObject } from '../json.js'
import { plainText, type RichText } from '../text/rich-text.js'

export const isHuddle = (entry: JsonObject) => entry.subtype === 'huddle_thread'

/** Who began it: the entry itself is by the service. */
export const starterOf = (entry: JsonObject) => filled(asObject(entry.room).created_by)

/** A call as one line, with its length where it has ended. */
export function huddleText(entry: JsonObject): RichText {
  const { date_start, date_end } = asObject(entry.room)
  const seconds = Number(date_end) - Number(date_start)
  const minutes = Number(date_end) > 0 && seconds >= 0 ? Math.max(1, Math.round(seconds / 60)) : null
  return plainText(minutes === null ? 'Huddle' : `Huddle, ${minutes} min`)
}
