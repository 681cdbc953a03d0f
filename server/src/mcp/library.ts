/** Loaded with the first request: most servers never get one, and it takes 20 MB. */
export const library = () => import('@modelcontextprotocol/server')

export type Library = Awaited<ReturnType<typeof library>>
