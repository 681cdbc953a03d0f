import { type Browser, createBrowser } from './browser.js'
import { type Clock, createClock, createRandom } from './clock.js'
import { createServer, type Server } from './server.js'

export interface Scene {
  random(): number
  clock: Clock
  server: Server
  browser: Browser
}

/** A server and a browser in which somebody is signed in; chance is the same for the same seed. */
export function createScene(seed: number, userId: number): Scene {
  const clock = createClock(Date.UTC(2030, 0, 31, 12))
  const random = createRandom(seed)
  const server = createServer(clock, random)
  const browser = createBrowser(clock, random, server)
  browser.session = server.signIn(userId)
  return { random, clock, server, browser }
}
