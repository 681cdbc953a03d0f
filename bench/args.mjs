// What a run was asked to do, and what it can be asked to do.
import { parseArgs } from 'node:util'

function helpText({ usage, about, options }) {
  const width = Math.max(...Object.values(options).map(({ shown }) => shown.length), '--help'.length)
  const lines = Object.values(options).map(({ shown, about }) => `  ${shown.padEnd(width)}  ${about}`)
  return [usage, '', about, '', ...lines, `  ${'--help'.padEnd(width)}  say this`, ''].join('\n')
}

function describe(options) {
  const entries = Object.entries(options).map(([name, { value, about }]) => {
    const shown = value ? `--${name} <${value}>` : `--${name}`
    return [name, { type: value ? 'string' : 'boolean', shown, about }]
  })
  return Object.fromEntries(entries)
}

/**
 * Reads the options of a program: `{ usage, about, options: { name: { about, value? } } }`, where `value` names what follows the
 * option. `--help` prints them; another word is a fault of usage.
 */
export function readArgs(program, list = process.argv.slice(2)) {
  const options = describe(program.options)
  try {
    const { values } = parseArgs({ args: list, options: { ...options, help: { type: 'boolean' } } })
    if (!values.help) return values
    process.stdout.write(helpText({ ...program, options }))
    process.exit(0)
  } catch (error) {
    process.stderr.write(`${error.message}\n\n${helpText({ ...program, options })}`)
    process.exit(2)
  }
}
