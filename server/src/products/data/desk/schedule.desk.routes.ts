import type { Static } from 'typebox'
import { ghs, type Pesewas } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { RefusalError, refuse } from '../../../platform/http/refusals.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import type { Routes } from '../../../suppliers/route-ports.ts'
import { sizeOf } from '../data.kind.ts'
import type { DataNetwork } from '../data.schemas.ts'
import { carryOutHeldPrices } from '../schedule/carry-out-prices.ts'
import {
  type ListedPrice,
  type ListedPriceSet,
  listPriceSets,
  type PriceSetState,
  priceSetStates,
  readPriceSet,
} from '../schedule/list-price-sets.ts'
import { previewPriceSet } from '../schedule/plan-price-set.ts'
import { cancelPriceSet, changePriceSet, makePriceSet, PriceSetMissingError } from '../schedule/write-price-set.ts'
import { EditPreviewView, priceListBytes, priceListWork } from './packages-desk.schemas.ts'
import { readEdit } from './read-edit.ts'
import {
  CancelBody,
  CarryOutBody,
  PriceSetBody,
  PriceSetEnded,
  PriceSetList,
  PriceSetMade,
  PriceSetPath,
  PriceSetPreviewBody,
  PriceSetQuery,
  PriceSetView,
} from './schedule-desk.schemas.ts'
import { viewEditPreview } from './view-edit-preview.ts'

type ScheduleDeskDeps = { readonly db: Db; readonly routes: Pick<Routes, 'rank'> }

const tags = ['Scheduled prices']

const setNotFound = refuse(404, 'price_set_not_found', 'There is no such set of scheduled prices.')

export function registerPriceSetDeskRoutes(desk: Api, deps: ScheduleDeskDeps): void {
  registerSetReads(desk, deps)
  registerSetWrites(desk, deps)
  registerSetEnds(desk, deps)
}

const statesAsked: Readonly<Record<NonNullable<Static<typeof PriceSetQuery>['state']>, readonly PriceSetState[]>> = {
  open: ['waiting', 'held'],
  ended: ['done', 'cancelled'],
  waiting: ['waiting'],
  held: ['held'],
  done: ['done'],
  cancelled: ['cancelled'],
}

function viewSet({ id, effective_at, made_at, ended_at, ...set }: ListedPriceSet) {
  return {
    ...set,
    set_id: id,
    effective_at: effective_at.toISOString(),
    made_at: made_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }
}

const amount = (pesewas: number) => ghs(pesewas as Pesewas)

function viewPrice({ package_id, network, volume_gb, role, before, after, replaces }: ListedPrice) {
  return {
    package_id,
    network: network as DataNetwork,
    volume_gb,
    size: sizeOf(volume_gb),
    role,
    before: amount(before),
    after: amount(after),
    replaces: replaces === null ? null : amount(replaces),
    is_clash: replaces !== null && replaces !== before && replaces !== after,
  }
}

function registerSetReads(desk: Api, { db }: ScheduleDeskDeps): void {
  desk.get(
    '/packages/scheduled',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListPriceSets',
        tags,
        summary: 'Sets of prices with the minute at which they come into force, the latest minute first',
        querystring: PriceSetQuery,
        response: { 200: Envelope(PriceSetList) },
      },
    },
    async ({ query: { state, after } }) => {
      const { sets, next } = await listPriceSets(db, { states: state ? statesAsked[state] : priceSetStates, after })
      return ok({ sets: sets.map(viewSet), next })
    },
  )
  desk.get(
    '/packages/scheduled/:set_id',
    {
      config: { permission: 'see', refusals: [setNotFound] },
      schema: {
        operationId: 'deskReadPriceSet',
        tags,
        summary: 'A set with its prices',
        params: PriceSetPath,
        response: { 200: Envelope(PriceSetView) },
      },
    },
    async ({ params }) => {
      const found = await readPriceSet(db, params.set_id)
      if (!found) throw new RefusalError(setNotFound)
      return ok({ ...viewSet(found.set), seen: found.seen, lines: found.prices.map(viewPrice) })
    },
  )
}

/** Waits for work on a set. A missing set answers 404. */
async function refuseMissingSet<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof PriceSetMissingError ? new RefusalError(setNotFound) : error
  }
}

/** Reads a request of the page into the form that the functions of the schedule take. */
async function readPriceSetRequest(
  { effective_at, note, is_below_cost_allowed, seen, ...edit }: Static<typeof PriceSetBody>,
  actor: string,
) {
  return {
    edit: await readEdit(edit),
    effectiveAt: new Date(effective_at),
    note,
    isBelowCostAllowed: is_below_cost_allowed,
    seen,
    actor,
  }
}

const changing = { longWork: priceListWork, permission: 'manage_catalogue', isConfirmationNeeded: true } as const

function registerSetWrites(desk: Api, { db, routes }: ScheduleDeskDeps): void {
  desk.post(
    '/packages/preview-scheduled',
    {
      bodyLimit: priceListBytes,
      config: { isHeavy: true, changesNothing: true, longWork: priceListWork, permission: 'manage_catalogue', refusals: [409] },
      schema: {
        operationId: 'deskPreviewPriceSet',
        tags,
        summary: 'What prices would change at a minute, given what is scheduled before it; changes nothing',
        body: PriceSetPreviewBody,
        response: { 200: Envelope(EditPreviewView) },
      },
    },
    async ({ body }) => {
      const { effective_at: effectiveAt, set_id: setId } = body
      const edit = await readEdit(body)
      return ok(viewEditPreview(routes, edit, await previewPriceSet(db, { edit, effectiveAt: new Date(effectiveAt) }, setId)))
    },
  )
  desk.post(
    '/packages/scheduled',
    {
      bodyLimit: priceListBytes,
      config: { ...changing, refusals: [409] },
      schema: {
        operationId: 'deskMakePriceSet',
        tags,
        summary: 'Schedule prices for a minute',
        body: PriceSetBody,
        response: { 200: Envelope(PriceSetMade) },
      },
    },
    async ({ body, staff: { actor } }) => {
      const { setId, packages } = await makePriceSet(db, await readPriceSetRequest(body, actor))
      return ok({ set_id: setId, packages })
    },
  )
  desk.put(
    '/packages/scheduled/:set_id',
    {
      bodyLimit: priceListBytes,
      config: { ...changing, refusals: [setNotFound, 409] },
      schema: {
        operationId: 'deskChangePriceSet',
        tags,
        summary: 'Change the minute, the note or the prices of a set that has not ended',
        params: PriceSetPath,
        body: PriceSetBody,
        response: { 200: Envelope(PriceSetMade) },
      },
    },
    async ({ params, body, staff: { actor } }) => {
      const { setId, packages } = await refuseMissingSet(
        changePriceSet(db, params.set_id, await readPriceSetRequest(body, actor)),
      )
      return ok({ set_id: setId, packages })
    },
  )
}

function registerSetEnds(desk: Api, { db }: ScheduleDeskDeps): void {
  desk.post(
    '/packages/scheduled/:set_id/cancel',
    {
      config: { permission: 'manage_catalogue', refusals: [setNotFound, 409] },
      schema: {
        operationId: 'deskCancelPriceSet',
        tags,
        summary: 'Cancel a set: its prices never come into force',
        params: PriceSetPath,
        body: CancelBody,
        response: { 200: Envelope(PriceSetEnded) },
      },
    },
    async ({ params, body: { reason }, staff: { actor } }) => {
      await refuseMissingSet(cancelPriceSet(db, params.set_id, { actor, reason }))
      return ok({ is_done: true } as const)
    },
  )
  desk.post(
    '/packages/scheduled/:set_id/carry-out',
    {
      config: { permission: 'manage_catalogue', isConfirmationNeeded: true, refusals: [setNotFound, 409] },
      schema: {
        operationId: 'deskCarryOutPriceSet',
        tags,
        summary: 'Carry a held set out now, although prices have changed since it was scheduled',
        params: PriceSetPath,
        body: CarryOutBody,
        response: { 200: Envelope(PriceSetEnded) },
      },
    },
    async ({ params, body: { is_below_cost_allowed: isBelowCostAllowed, reason, seen }, staff: { actor } }) => {
      await refuseMissingSet(carryOutHeldPrices(db, params.set_id, { actor, reason, isBelowCostAllowed, seen }))
      return ok({ is_done: true } as const)
    },
  )
}
