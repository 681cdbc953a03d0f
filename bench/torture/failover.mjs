// The primary dies, the standby is promoted, and the dead one comes back as the next standby; again and again.

/** How long until a server says that it is ready again. */
async function untilReady(url, began) {
  for (;;) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return performance.now() - began
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

const seconds = (ms) => Math.round(ms / 10) / 100

export async function failOver({ cluster, random, kills, until, say }) {
  const { pair } = cluster
  const recovered = []
  while (recovered.length < kills && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 500 + random() * 2_500))
    const began = performance.now()
    await pair.failOver()
    const promoted = performance.now() - began
    const ready = await Promise.all(cluster.urls.map((url) => untilReady(url, began)))
    recovered.push(Math.max(...ready))
    say(
      `failover ${recovered.length}: promoted after ${seconds(promoted)} s, all servers ready after ${seconds(Math.max(...ready))} s`,
    )
    await pair.rebuild()
  }
  recovered.sort((a, b) => a - b)
  const [p50, worst] = [recovered[Math.floor(recovered.length / 2)], recovered.at(-1)]
  return { primaries: recovered.length, recovery_s_p50: seconds(p50), recovery_s_worst: seconds(worst) }
}
