import type { FastifyRequest } from 'fastify'

/** What hooks ask of the route of a request; routes beside the operations have none of it. */
export interface RouteConfig {
  operation?: string
  /** Whether its answers may hold a secret. */
  secret?: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    /** That of its route, from when its handler runs. */
    config?: RouteConfig
  }
}

/** Fastify makes an object of all options of a route each time that it is asked for one, which is 1 % of a short read. */
export function configOf(request: FastifyRequest): RouteConfig {
  return request.config ?? (request.routeOptions.config as RouteConfig)
}
