// Imported first by programs that take plain words: `--help` prints the comment that their file begins with.
import { readFileSync } from 'node:fs'

if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  const lines = readFileSync(process.argv[1], 'utf8').split('\n')
  const comment = lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('//')),
  )
  process.stdout.write(`${comment.map((line) => line.replace(/^\/\/ ?/, '')).join('\n')}\n`)
  process.exit(0)
}
