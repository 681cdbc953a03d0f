// Prints the methods and types of the bot kit from the contract. They are not committed: every build makes them.
import { mkdirSync, writeFileSync } from 'node:fs'

const folder = new URL('../sdk/src/generated/', import.meta.url)

export async function printKit() {
  const { printCalls, printOperations, printTypes } = await import('../contract/dist/index.js')
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('calls.ts', folder), printCalls())
  writeFileSync(new URL('operations.ts', folder), printOperations())
  writeFileSync(new URL('types.ts', folder), printTypes())
}
