import type { Route } from '../../platform/http/endpoint.ts'

export const loadRoutes: Route[] = []
