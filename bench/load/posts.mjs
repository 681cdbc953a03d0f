// A bare HTTP client that posts one body to one address over so many connections: what deliveries are held against.
import { Pool } from 'undici'
import { createTally, window } from './tally.mjs'

export async function loadPosts({ target, body, headers, connections, ...times }, tell) {
  const pool = new Pool(`http://${target.host}:${target.port}`, { connections, pipelining: 1 })
  const tally = createTally()
  let running = true
  const loops = Array.from({ length: connections }, async () => {
    while (running) {
      const began = performance.now()
      const answer = await pool.request({ method: 'POST', path: '/hook', headers, body })
      await answer.body.dump()
      tally.note(performance.now() - began, answer.statusCode === 200, answer.statusCode)
    }
  })
  await window(tally, times, tell)
  running = false
  await Promise.all(loops)
  await pool.close()
  return tally.result()
}
