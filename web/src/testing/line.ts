import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** A line between browser and server that can be cut, left hanging, and led to another server. */
export interface Line {
  url: string
  /** Every connection breaks, and no new one comes about. */
  cut(): void
  /** The connections there are go silent without an end; new ones work. */
  hang(): void
  restore(to?: string): void
}

export async function openLine(t: TestContext, to: string): Promise<Line> {
  let target = new URL(to)
  let isCut = false
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    near.pipe(far)
    far.pipe(near)
    for (const socket of pair) {
      const end = () => {
        near.destroy()
        far.destroy()
        pairs.delete(pair)
      }
      socket.on('error', end).on('close', end)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const breakAll = () => {
    for (const [near, far] of [...pairs]) {
      near.destroy()
      far.destroy()
    }
  }
  t.after(() => {
    breakAll()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    cut() {
      isCut = true
      breakAll()
    },
    hang() {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
      }
    },
    restore(other) {
      if (other) target = new URL(other)
      isCut = false
    },
  }
}
