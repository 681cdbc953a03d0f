import { readConfig } from '../platform/config.js'
import { startServer } from '../serve.js'

/** A server process of its own, which tests can kill; it says when it is up. */
await startServer(readConfig(process.env))
process.send?.('ready')
