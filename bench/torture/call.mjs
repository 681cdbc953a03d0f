// Calls to whichever server, by callers that remember exactly what was answered.

export function createCaller(cluster, random) {
  let failed = 0

  async function ask(method, path, { token, body, key } = {}) {
    const url = cluster.urls[Math.floor(random() * cluster.urls.length)]
    try {
      const answer = await fetch(`${url}/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
          ...(key ? { 'Idempotency-Key': key } : {}),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await answer.text()
      return { status: answer.status, body: text && text[0] === '{' ? JSON.parse(text) : text }
    } catch {
      return { status: 0 }
    }
  }

  async function once(method, path, input) {
    const answer = await ask(method, path, input)
    if (answer.status === 0 || answer.status >= 500) failed += 1
    return answer
  }

  return {
    once,
    /** Requests without an answer, or with one that says that the server failed. */
    failed: () => failed,
    /** Tries again under the same key until there is an answer that is one. */
    async surely(method, path, input) {
      for (;;) {
        const answer = await once(method, path, input)
        if (answer.status !== 0 && answer.status < 500 && answer.status !== 429) return answer
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }
}
