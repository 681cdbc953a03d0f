// Sends the events of Node's test runner to the process that started this one.
import { Transform } from 'node:stream'
import { inspect } from 'node:util'

function textOf(error) {
  if (!error) return undefined
  return inspect(error.code === 'ERR_TEST_FAILURE' && error.cause ? error.cause : error)
}

/** Of this process alone: the database and child processes come on top. */
function cpuSoFar() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function send({ type, data }) {
  if (type !== 'test:pass' && type !== 'test:fail') return
  const { name, nesting, details, skip, todo } = data
  const { error, duration_ms } = details
  process.send({
    type,
    name,
    nesting,
    duration_ms,
    cpu_ms: cpuSoFar(),
    suite: details.type === 'suite',
    skip: skip !== undefined,
    todo: todo !== undefined,
    failureType: error?.failureType,
    error: textOf(error),
  })
}

export default new Transform({
  writableObjectMode: true,
  transform(event, _encoding, done) {
    // Errors thrown after their test had ended are reported at the end.
    const { type, data } = event
    if (type === 'test:diagnostic' && /^(Error|Warning)/.test(data.message)) console.error(data.message)
    if (process.connected) send(event)
    done()
  },
})
