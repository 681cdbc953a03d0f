/** Ends the process with one sentence where Node is too old: later it would be a stack of syntax errors. */
export function needNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Parley needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
