export * from './bots.js'
export * from './settings.js'
export * from './tokens.js'
export * from './webhook.js'
