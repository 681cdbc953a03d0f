export interface Output {
  json?: boolean
}

/** One answer of a command: JSON on one line when asked for, else lines for people. */
export function print(output: Output, value: object, lines: string[]) {
  process.stdout.write(output.json ? `${JSON.stringify(value)}\n` : `${lines.join('\n')}\n`)
}
