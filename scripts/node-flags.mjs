/** The flags of Node that the server runs with: a large young generation, and no helper threads. */
export const NODE_FLAGS = ['--max-semi-space-size=32', '--no-parallel-scavenge', '--v8-pool-size=1']
