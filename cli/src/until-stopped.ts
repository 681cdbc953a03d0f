/** Who signals a group of processes, and who passes the signal on, are heard within this time: a shell, npm, a service manager. */
const TOGETHER_MS = 1_000

/** Waits for SIGTERM or SIGINT, then stops in order; whoever insists after a second ends it at once. */
export async function untilStopped(stop: () => Promise<void>) {
  let first: number | undefined
  await new Promise<void>((resolve) => {
    const hear = () => {
      first ??= performance.now()
      if (performance.now() - first > TOGETHER_MS) process.exit(1)
      resolve()
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, hear)
  })
  await stop()
  process.exit(0)
}
