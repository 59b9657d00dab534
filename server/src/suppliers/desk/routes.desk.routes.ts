import type { Static } from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import type { Api } from '../../platform/http/api.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals } from '../../platform/http/refusals.ts'
import { routeName } from '../route-name.ts'
import type { RouteSelection } from '../routes/select-routes.ts'
import { addRoute, pauseRoutesByHand, resumeRoutesByHand } from '../routes/write-route.ts'
import { type CountOrders, listDeskRoutes, listRouteNetworks } from './list-routes.ts'
import {
  DeskRouteList,
  ForesightQuery,
  PauseBody,
  ResumeBody,
  RouteBody,
  RouteForesightView,
  RoutesChanged,
  RoutesQuery,
} from './routes.schemas.ts'

/** Functions that know orders are passed in, because this folder may not import orders. */
export type RouteDeskDeps = {
  readonly db: Db
  readonly countOrders: CountOrders
  readonly foresee: (selection: RouteSelection, change: 'pause' | 'resume') => Promise<Static<typeof RouteForesightView>>
}

const tags = ['Suppliers']

/** @throws RefusalError when a network is named without its product */
function selectionOf({ supplier, product, network }: { supplier: string; product?: string; network?: string }): RouteSelection {
  if (product === undefined && network !== undefined) {
    throw new RefusalError(refusals.invalidRequest('A network needs its product.'))
  }
  return { supplier, ...(product !== undefined && { product }), ...(network !== undefined && { network }) }
}

function registerReading(desk: Api, { db, countOrders, foresee }: RouteDeskDeps): void {
  desk.get(
    '/routes',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListRoutes',
        tags,
        summary: 'The routes, best first, with the orders that wait on each',
        querystring: RoutesQuery,
        response: { 200: Envelope(DeskRouteList) },
      },
    },
    async ({ query }) => {
      const [routes, networks] = await Promise.all([listDeskRoutes(db, countOrders, query.supplier), listRouteNetworks(db)])
      return ok({ routes, networks })
    },
  )
  desk.get(
    '/routes/foresight',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskForeseeRouteChange',
        tags,
        summary: 'What a pause or a resumption would do to the orders that wait',
        querystring: ForesightQuery,
        response: { 200: Envelope(RouteForesightView) },
      },
    },
    async ({ query }) => ok(await foresee(selectionOf(query), query.change)),
  )
}

function registerChanging(desk: Api, { db }: RouteDeskDeps): void {
  desk.post(
    '/routes',
    {
      config: { permission: 'manage_suppliers', isConfirmationNeeded: true, refusals: [409] },
      schema: {
        operationId: 'deskSetRoute',
        tags,
        summary: 'Add a route, or give one another priority',
        body: RouteBody,
        response: { 200: Envelope(RoutesChanged) },
      },
    },
    async ({ body: { priority, reason, ...route }, staff }) => {
      await addRoute(db, route, priority, staff.actor, reason)
      return ok({ routes: [routeName(route)] })
    },
  )
  desk.post(
    '/routes/pause',
    {
      config: { permission: 'manage_suppliers', refusals: [409] },
      schema: {
        operationId: 'deskPauseRoutes',
        tags,
        summary: 'Send nothing new on routes: orders go on with another supplier, or wait',
        body: PauseBody,
        response: { 200: Envelope(RoutesChanged) },
      },
    },
    async ({ body: { reason, minutes, ...selection }, staff }) => {
      const pause = { reason, seconds: minutes === undefined ? null : minutes * 60 }
      return ok({ routes: await pauseRoutesByHand(db, selectionOf(selection), pause, staff.actor) })
    },
  )
  desk.post(
    '/routes/resume',
    {
      config: { permission: 'manage_suppliers', refusals: [409] },
      schema: {
        operationId: 'deskResumeRoutes',
        tags,
        summary: 'Open paused routes',
        body: ResumeBody,
        response: { 200: Envelope(RoutesChanged) },
      },
    },
    async ({ body: { reason, ...selection }, staff }) =>
      ok({ routes: await resumeRoutesByHand(db, selectionOf(selection), staff.actor, reason) }),
  )
}

export function registerRouteDeskRoutes(desk: Api, deps: RouteDeskDeps): void {
  registerReading(desk, deps)
  registerChanging(desk, deps)
}
