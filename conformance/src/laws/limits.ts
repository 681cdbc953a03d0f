import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Answer } from '../answer.js'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'

/** Limits are on while this runs, also in a sandbox, where they are off for the other laws. */
async function limited<T>(lab: Lab, run: () => Promise<T>): Promise<T> {
  const set = async (enabled: boolean) => {
    if (lab.has('sandbox')) await lab.anonymous.call(api.setSandboxLimits, { body: { enabled } })
  }
  await set(true)
  try {
    return await run()
  } finally {
    await set(false)
  }
}

const BURST = 8
const MOST_BURSTS = 5

/** Messages at once, again until one of them is refused: a slow server takes its time over the first. */
async function burst(lab: Lab): Promise<Answer[]> {
  const chat = await lab.newChat()
  const body = { message: { entity_id: chat.id, content: 'x' } }
  const send = () => lab.owner.send(api.createMessage, { body, hurried: true })
  const answers: Answer[] = []
  for (let count = 0; count < MOST_BURSTS && !answers.some(({ status }) => status === 429); count += 1)
    answers.push(...(await Promise.all(Array.from({ length: BURST }, send))))
  return answers
}

export const limitLaws = laws('Limits', [
  {
    id: 'LIMIT-001',
    rule: 'Over 4 messages a second to one chat are refused with 429: plain text, and Retry-After in whole seconds.',
    operations: [api.createMessage],
    async run(lab) {
      const answers = await limited(lab, () => burst(lab))
      const refused = answers.filter(({ status }) => status === 429)
      assert.ok(refused.length > 0, `${answers.length} messages, ${BURST} at once, were all taken`)
      assert.ok(refused.length < answers.length, 'none of the messages was taken')
      for (const { headers, text } of refused) {
        assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, 'Retry-After')
        assert.match(headers.get('content-type') ?? '', /^text\/plain/, 'Content-Type')
        assert.ok(text.length > 0, 'the refusal says nothing')
      }
    },
  },
  {
    id: 'LIMIT-002',
    level: 'additions',
    rule: 'Answers tell the window and what is left of it: RateLimit-Policy and RateLimit.',
    operations: [api.getProfile],
    async run(lab) {
      const ask = () => lab.owner.send(api.getProfile)
      const [first, second] = await limited(lab, async () => [await ask(), await ask()])
      const left = (answer: Answer | undefined) =>
        Number(/^"[\w-]+";r=(\d+);t=\d+$/.exec(answer?.headers.get('ratelimit') ?? '')?.[1])
      assert.match(first?.headers.get('ratelimit-policy') ?? '', /^"[\w-]+";q=\d+;w=\d+$/)
      assert.ok(left(second) <= left(first), `r went from ${left(first)} to ${left(second)}`)
    },
  },
  {
    id: 'LIMIT-003',
    level: 'additions',
    rule: 'A refusal by a window names it in Parley-Rule.',
    operations: [api.createMessage],
    async run(lab) {
      const answers = await limited(lab, () => burst(lab))
      const refused = answers.find(({ status }) => status === 429)
      assert.ok(refused?.headers.get('parley-rule'), 'Parley-Rule is missing')
    },
  },
])
