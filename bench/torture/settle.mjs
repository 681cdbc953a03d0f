// After the storm: waits until nothing is left to do, as an outsider can see it in the tables.

export async function settle(pool, { at_most_ms, say }) {
  const until = performance.now() + at_most_ms
  for (let last = ''; ; ) {
    const { rows } = await pool.query(
      `select (select count(*)::int from waiting_events) as events,
         (select count(*)::int from delivery_lanes) as lanes,
         (select count(*)::int from jobs where failed_at is null and (run_at <= now() or kind like 'exports.%') and kind not like 'platform.%'
            and payload <> '{}') as jobs,
         (select count(*)::int from audit_events where hash is null)
           + (select count(*)::int from audit_waiting) as unsealed,
         (select count(*)::int from drafts where due_at is not null) as planned,
         (select count(*)::int from exports where state = 'building') as building`,
    )
    const [left] = rows
    const waiting = left.events + left.lanes + left.jobs + left.unsealed + left.planned + left.building
    if (waiting === 0) return
    const text = JSON.stringify(left)
    if (text !== last) say(`left to do: ${text}`)
    last = text
    if (performance.now() > until) throw new Error(`it did not settle: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
