// A proxy before the servers, as a company has one: it asks who is ready, and spreads requests over those.
import { Agent, createServer, request } from 'node:http'

/** A quarter of what servers wait before they stop. */
const CHECK_MS = 250

export async function openBalancer(urls) {
  const agent = new Agent({ keepAlive: true })
  const ready = new Set(urls)
  let turn = 0
  let timer

  async function check() {
    await Promise.all(
      urls.map(async (url) => {
        const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
          () => undefined,
        )
        await answer?.body?.cancel()
        if (answer?.ok) ready.add(url)
        else ready.delete(url)
      }),
    )
    timer = setTimeout(check, CHECK_MS)
  }
  await check()

  function next() {
    const choice = [...ready]
    turn += 1
    return choice[turn % choice.length]
  }

  function pass(incoming, outgoing, body) {
    const target = next()
    if (!target) return void outgoing.writeHead(502).end()
    const { method, headers, url } = incoming
    const passed = request(target + url, { method, headers, agent }, (answer) => {
      const { connection: _, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode, rest)
      answer.pipe(outgoing)
      answer.on('aborted', () => outgoing.destroy())
    })
    outgoing.on('close', () => passed.destroy())
    // One attempt, as a careful proxy makes: a request may have been done although its connection ended.
    passed.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    passed.end(body)
  }

  const server = createServer(async (incoming, outgoing) => {
    const parts = []
    for await (const part of incoming) parts.push(part)
    pass(incoming, outgoing, Buffer.concat(parts))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      clearTimeout(timer)
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }
}
