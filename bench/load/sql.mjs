// One named statement over the bare driver, so many in flight: what the database gives without a server before it.
import pg from 'pg'
import { createTally, window } from './tally.mjs'

export async function loadSql(
  { url, text, rows, pool_size = 8, in_flight = 32, seed = 1, settings, ...times },
  tell,
) {
  const pool = new pg.Pool({ connectionString: url, max: pool_size, options: settings })
  const tally = createTally()
  let running = true
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return rows[Math.floor((state / 4294967296) * rows.length)]
  }
  const loops = Array.from({ length: in_flight }, async () => {
    while (running) {
      const began = performance.now()
      const failure = await pool.query({ name: 'one', text, values: next() }).then(() => null, String)
      tally.note(performance.now() - began, failure === null, failure)
    }
  })
  await window(tally, times, tell)
  running = false
  await Promise.all(loops)
  await pool.end()
  return tally.result()
}
