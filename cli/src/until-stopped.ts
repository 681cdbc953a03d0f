/** Waits for SIGTERM or SIGINT, then stops in order; a second signal ends at once. */
export async function untilStopped(stop: () => Promise<void>) {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))
  await stop()
  process.exit(0)
}
