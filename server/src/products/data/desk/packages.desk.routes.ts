import { Readable } from 'node:stream'
import type { Db } from '../../../platform/database/database.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { RefusalError } from '../../../platform/http/refusals.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { FileOf } from '../../../platform/http/schemas.ts'
import type { Routes } from '../../../suppliers/route-ports.ts'
import { exportPackages } from '../catalogue/export-packages.ts'
import { dataRefusals } from '../data.refusals.ts'
import { applyEdit } from '../edits/apply-edit.ts'
import { previewEdit } from '../edits/preview-edit.ts'
import { readPackageHistory } from '../history/package-history.ts'
import { reopenOffer } from '../offers/close-and-reopen-offer.ts'
import { readPackages } from '../stored-packages.ts'
import {
  ApplyBody,
  EditBody,
  EditDone,
  EditPreviewView,
  HistoryQuery,
  PackageGrid,
  PackageHistory,
  PackagePath,
  priceListBytes,
  priceListWork,
  ReopenBody,
  Reopened,
} from './packages-desk.schemas.ts'
import { readEdit } from './read-edit.ts'
import { registerPriceSetDeskRoutes } from './schedule.desk.routes.ts'
import { viewEditPreview } from './view-edit-preview.ts'
import { viewPackageGrid } from './view-grid.ts'

export type PackageDeskDeps = { readonly db: Db; readonly routes: Routes }

const tags = ['Packages']

export function registerPackageDeskRoutes(desk: Api, deps: PackageDeskDeps): void {
  registerReads(desk, deps)
  registerHistory(desk, deps)
  registerChanges(desk, deps)
  registerReopen(desk, deps)
  registerPriceSetDeskRoutes(desk, deps)
}

function registerReads(desk: Api, deps: PackageDeskDeps): void {
  const { db } = deps
  desk.get(
    '/packages',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListPackages',
        tags,
        summary: 'The whole price list, with costs, margins and offers',
        response: { 200: Envelope(PackageGrid) },
      },
    },
    async () => ok(await viewPackageGrid(deps)),
  )
  desk.get(
    '/packages.csv',
    {
      config: { exportedAs: 'packages export', permission: 'see' },
      schema: {
        operationId: 'deskExportPackages',
        tags,
        summary: 'The whole price list, as the file that is imported',
        response: { 200: FileOf('text/csv') },
      },
    },
    async (_request, reply) => {
      const { text } = await exportPackages(db)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="packages.csv"')
        .send(Readable.from([text]))
    },
  )
}

function registerHistory(desk: Api, { db }: PackageDeskDeps): void {
  desk.get(
    '/packages/:package_id/history',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskReadPackageHistory',
        tags,
        summary: 'Who changed a package, when, and from what to what; newest first',
        params: PackagePath,
        querystring: HistoryQuery,
        response: { 200: Envelope(PackageHistory) },
      },
    },
    async ({ params, query }) => {
      const { changes, next } = await readPackageHistory(db, { packageId: params.package_id, before: query.before })
      return ok({
        changes: changes.map(({ id, at, actor, action, reason, columns }) => ({
          change_id: id,
          at: at.toISOString(),
          actor,
          action,
          reason,
          columns: Object.entries(columns).map(([column, cell]) => ({ column, ...cell })),
        })),
        next,
      })
    },
  )
}

function registerChanges(desk: Api, { db, routes }: PackageDeskDeps): void {
  desk.post(
    '/packages/preview',
    {
      bodyLimit: priceListBytes,
      config: { isHeavy: true, changesNothing: true, longWork: priceListWork, permission: 'manage_catalogue', refusals: [409] },
      schema: {
        operationId: 'deskPreviewPackages',
        tags,
        summary: 'What a change of the price list would do, from what to what; changes nothing',
        description: 'Cells of packages, a shift of many prices, or a file. Losses are named, not refused.',
        body: EditBody,
        response: { 200: Envelope(EditPreviewView) },
      },
    },
    async ({ body }) => {
      const edit = await readEdit(body)
      return ok(viewEditPreview(routes, edit, await previewEdit(db, edit, await readPackages(db))))
    },
  )
  desk.post(
    '/packages/apply',
    {
      bodyLimit: priceListBytes,
      config: { longWork: priceListWork, permission: 'manage_catalogue', isConfirmationNeeded: true, refusals: [409] },
      schema: {
        operationId: 'deskChangePackages',
        tags,
        summary: 'Change the price list as it was previewed: all of it, or nothing',
        description:
          'Refused with 409 when the change would not do what the preview showed any more, or sells below cost without being allowed to.',
        body: ApplyBody,
        response: { 200: Envelope(EditDone) },
      },
    },
    async ({ body: { seen, is_below_cost_allowed: isBelowCostAllowed, reason, ...edit }, staff: { actor } }) =>
      ok(await applyEdit(db, await readEdit(edit), { seen, isBelowCostAllowed, reason, actor })),
  )
}

function registerReopen(desk: Api, { db }: PackageDeskDeps): void {
  desk.post(
    '/packages/reopen',
    {
      config: { permission: 'manage_catalogue', refusals: [dataRefusals.packageNotFound] },
      schema: {
        operationId: 'deskReopenOffer',
        tags,
        summary: 'Open an offer that was closed because its supplier refused our request',
        body: ReopenBody,
        response: { 200: Envelope(Reopened) },
      },
    },
    async ({ body: { network, volume_gb: volumeGb, supplier }, staff: { actor } }) => {
      const result = await reopenOffer(db, { network, volumeGb, supplier }, actor)
      if (result === 'missing') throw new RefusalError(dataRefusals.packageNotFound)
      return ok({ is_reopened: result === 'reopened' })
    },
  )
}
