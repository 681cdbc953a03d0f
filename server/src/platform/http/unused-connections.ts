import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Gives a function that closes the connections on which nothing was ever sent. Browsers open some in advance, and a server
 * that closes waits for the first request of each.
 */
export function watchUnused(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}
