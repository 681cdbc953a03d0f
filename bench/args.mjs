// What a run was asked to do.

const FLAGS = ['quick', 'json', 'growth', 'peers', 'scale', 'profile', 'abuse', 'web', 'soak', 'axe']
const VALUES = ['messages', 'minutes', 'kills', 'seed', 'sizes', 'seconds']

export function readArgs(list) {
  const options = Object.fromEntries(FLAGS.map((flag) => [flag, false]))
  const rest = [...list]
  while (rest.length > 0) {
    const word = rest.shift()
    const name = word.replace(/^--/, '')
    if (FLAGS.includes(name)) options[name] = true
    else if (VALUES.includes(name) && rest.length > 0) options[name] = rest.shift()
    else throw new Error(`${word} is not an option of this.`)
  }
  return options
}
