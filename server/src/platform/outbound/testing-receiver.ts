import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface Receiver {
  port: number
  /** How many connections were opened to it so far. */
  connections(): number
  /** Cuts every open connection. */
  cut(): void
}

/** A connection is not closed for being unused while a busy machine has no time for the test. */
const KEPT = { keepAliveTimeout: 60_000 }

/** Starts a real HTTP server on loopback that lives as long as the test. */
export function receive(t: TestContext, listener: RequestListener): Promise<Receiver> {
  return listen(t, createServer(KEPT, listener))
}

/** The same over TLS. */
export function receiveTls(
  t: TestContext,
  pair: { key: string; cert: string },
  listener: RequestListener,
): Promise<Receiver> {
  return listen(t, createTlsServer(pair, listener))
}

/** A plain TCP server, for what no HTTP server would do. */
export function receiveRaw(t: TestContext, listener: (socket: Socket) => void): Promise<Receiver> {
  return listen(t, createTcpServer(listener))
}

async function listen(t: TestContext, server: Server): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    cut()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections, cut }
}
