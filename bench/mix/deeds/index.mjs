import { chatDeeds } from './chats.mjs'
import { companyDeeds } from './company.mjs'
import { messageDeeds } from './messages.mjs'
import { peopleDeeds } from './people.mjs'
import { readingDeeds } from './reading.mjs'
import { workDeeds } from './work.mjs'

const DEEDS = [...messageDeeds, ...chatDeeds, ...readingDeeds, ...peopleDeeds, ...workDeeds, ...companyDeeds]
const TOTAL = DEEDS.reduce((sum, [weight]) => sum + weight, 0)

/** One of them, the heavier the more often. */
export function chooseDeed(random) {
  let left = random() * TOTAL
  for (const [weight, deed] of DEEDS) {
    left -= weight
    if (left < 0) return deed
  }
  return DEEDS[0][1]
}
