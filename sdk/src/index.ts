export * from '@parley/contract'
export { ApiFailure, type Client, type ClientOptions, createClient, type Input } from './client.js'
