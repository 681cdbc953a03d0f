// The client over the values of the contract, for programs that walk operations: the command, tests, the web client. Its types are
// those of TypeBox, which cost a compiler seconds; bots use the entry beside it.
export * from '@parley/contract'
export { type Client, type ClientOptions, createClient, type Input } from './contract-client.js'
export { ApiFailure } from './errors.js'
