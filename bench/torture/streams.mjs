// People who watch: live streams that go on elsewhere when their server ends, and miss nothing.
import { connect, live } from '../../sdk/dist/index.js'

export function startWatching({ url, people }) {
  const stop = new AbortController()
  const watchers = people.map(({ token, name }) => {
    const seen = []
    let opened = 0
    const run = (async () => {
      const parley = connect({ base_url: `${url}/v1`, token })
      for await (const frame of live(parley, { signal: stop.signal })) {
        if (frame.type === 'ready') opened += 1
        if (frame.type === 'reset') seen.push('reset')
        if (frame.type === 'message.created') seen.push(frame.data.message?.id)
      }
    })().catch(() => {})
    return { name, seen, run, opened: () => opened }
  })
  return {
    watchers,
    opened: () => watchers.reduce((sum, { opened }) => sum + opened(), 0),
    /** Waits until every stream is open. */
    async begun() {
      while (watchers.some(({ opened }) => opened() === 0))
        await new Promise((resolve) => setTimeout(resolve, 50))
    },
    /** Waits until everybody has the last message, and hangs up. */
    async stop(last_id) {
      const until = performance.now() + 30_000
      while (watchers.some(({ seen }) => !seen.includes(last_id)) && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 100))
      stop.abort()
      await Promise.all(watchers.map(({ run }) => run))
    },
  }
}
