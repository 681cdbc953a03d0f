// Calls that are counted by the attack they belong to.
import { AsyncLocalStorage } from 'node:async_hooks'

/** What a server under attack may answer: it refuses, or says that it is busy. */
const isFine = (status) => status < 500 || status === 503 || status === 504

/** What is wrong with the headers of an answer: nobody may guess the type of JSON, or keep it. */
function headerFault(headers) {
  if (!/^application\/json/.test(headers.get('content-type') ?? '')) return null
  const kept = !/no-store/.test(headers.get('cache-control') ?? '')
  if (headers.get('x-content-type-options') === 'nosniff' && !kept) return null
  return 'JSON without nosniff or no-store'
}

export function createSender(url) {
  const names = new AsyncLocalStorage()
  const tallies = new Map()
  const faults = new Set()

  function tallyOf(name) {
    const known = tallies.get(name) ?? { requests: 0, worst_ms: 0, statuses: {} }
    tallies.set(name, known)
    return known
  }

  function bodyOf({ body, form, text }) {
    if (text !== undefined) return { body: text, headers: { 'Content-Type': 'application/json' } }
    if (body) return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
    if (!form) return { headers: {} }
    if (Object.values(form).every((value) => typeof value === 'string'))
      return { body: new URLSearchParams(form), headers: {} }
    const data = new FormData()
    for (const [name, value] of Object.entries(form))
      if (typeof value === 'string') data.set(name, value)
      else data.set(name, value, value.name ?? 'picture.png')
    return { body: data, headers: {} }
  }

  async function send(method, path, options = {}) {
    const { token, root, headers, as, expect, check } = options
    const name = as ?? names.getStore() ?? 'preparation'
    const given = bodyOf(options)
    const began = performance.now()
    let answer = { status: 0, body: undefined }
    try {
      const address = path.startsWith('http') ? path : `${url}${root ? '' : '/v1'}${path}`
      const response = await fetch(address, {
        method,
        body: given.body,
        headers: { ...given.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}), ...headers },
        signal: AbortSignal.timeout(60_000),
      })
      const wrong = headerFault(response.headers)
      if (wrong) faults.add(`${name}: ${method} ${path.slice(0, 60)} answered ${wrong}`)
      const text = await response.text()
      answer = { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text }
    } catch {
      // Status 0: the connection was ended, or nothing came within a minute.
    }
    const tally = tallyOf(name)
    tally.requests += 1
    tally.worst_ms = Math.max(tally.worst_ms, Math.round(performance.now() - began))
    tally.statuses[answer.status] = (tally.statuses[answer.status] ?? 0) + 1
    if (!isFine(answer.status))
      faults.add(`${name}: ${method} ${path.slice(0, 60)} answered ${answer.status}`)
    if (
      expect &&
      isFine(answer.status) &&
      answer.status < 500 &&
      answer.status !== 0 &&
      !expect.includes(answer.status)
    )
      faults.add(`${name}: answered ${answer.status}`)
    const fault = check?.(answer)
    if (fault) faults.add(`${name}: ${fault}`)
    return answer
  }

  return {
    send,
    figures: {
      begin: tallyOf,
      during: (name, round) => names.run(name, round),
      fault: (text) => faults.add(`${names.getStore() ?? 'preparation'}: ${text}`),
      faults: () => faults,
      total: () => [...tallies.values()].reduce((sum, { requests }) => sum + requests, 0),
      byName: () => Object.fromEntries(tallies),
    },
  }
}
