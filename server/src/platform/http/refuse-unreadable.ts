import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem } from '../problem.js'

const STATUSES: Record<string, number> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what is no HTTP request in the words of the contract, and ends the connection. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy()
    return
  }
  const status = STATUSES[error.code ?? ''] ?? 400
  const { errors } = new Problem(status, 'wrong_params', { message: 'The request is no readable HTTP' })
  const body = JSON.stringify({ errors })
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
