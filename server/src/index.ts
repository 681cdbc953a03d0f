export { movableClock } from './platform/clock.js'
export { ConfigError, readConfig } from './platform/config.js'
export { type RunningServer, startServer } from './serve.js'
