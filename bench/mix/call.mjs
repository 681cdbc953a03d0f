// Requests of those who act. Refusals are part of the game; what is the server's fault is kept.

const LATE_MS = 10_000

const nameOf = (method, path) =>
  `${method} ${path
    .split('?')[0]
    .replace(/^http:\/\/[^/]+/, '')
    .replace(/\/\d+/g, '/{id}')
    .replace(/\/[0-9A-Z]{26}/, '/{id}')}`

export function createCalls(baseUrl) {
  const faults = []
  const statuses = new Map()
  const well = new Map()

  function note(name, answer, text, ms) {
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    well.set(name, (well.get(name) ?? 0) + Number(answer.ok))
    if (answer.status >= 500) faults.push(`${name}: ${answer.status} ${text.slice(0, 300)}`)
    if (ms > LATE_MS) faults.push(`${name} took ${Math.round(ms)} ms`)
  }

  async function call(actor, method, path, body) {
    // Of what the call is about, there is none yet.
    if (path.includes('undefined')) return {}
    const form = body instanceof FormData
    const began = performance.now()
    const answer = await fetch(path.startsWith('http') ? path : `${baseUrl}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${actor.token}`,
        ...(body && !form ? { 'Content-Type': 'application/json' } : {}),
      },
      body: form ? body : body && JSON.stringify(body),
    })
    const text = await answer.text()
    note(nameOf(method, path), answer, text, performance.now() - began)
    const json = text ? JSON.parse(text) : undefined
    return { ok: answer.ok, status: answer.status, json, data: json?.data, meta: json?.meta, text }
  }

  return {
    call,
    faults,
    statuses,
    answered: () => [...well.values()].reduce((sum, count) => sum + count, 0),
    /** Calls that were refused each time: this run says nothing about them. */
    neverWell: () =>
      [...well]
        .filter(([, count]) => count === 0)
        .map(([name]) => name)
        .join(', '),
  }
}
