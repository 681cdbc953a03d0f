import { join } from 'node:path'

type Program = 'parley' | 'worker-process' | 'import-process' | 'stuck-relay'

/**
 * The file of a program for a child process: the bundle that the runner of the tests made, or the built file.
 * scripts/bundle-programs.mjs has the names.
 */
export function programFile(name: Program, built: string): string {
  const { TEST_PROGRAMS } = process.env
  return TEST_PROGRAMS ? join(TEST_PROGRAMS, `${name}.js`) : built
}
