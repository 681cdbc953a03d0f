/** Milliseconds of processor time that this work took, so that a busy machine does not count. */
export function cpuTimeOf(work: () => unknown): number {
  const began = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
