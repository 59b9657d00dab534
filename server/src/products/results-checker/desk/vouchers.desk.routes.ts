import type { Static } from 'typebox'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { Api } from '../../../platform/http/api.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import { RefusalError, refusals, refuse } from '../../../platform/http/refusals.ts'
import { inPieces } from '../../../platform/in-pieces.ts'
import { importVouchers, VoucherFileError } from '../import-vouchers.ts'
import { raiseLowStockAlarms } from '../raise-low-stock-alarms.ts'
import { listUnsoldVouchers, type VoucherSelection, withdrawVouchers } from '../withdraw-vouchers.ts'
import { findVouchersAtDesk } from './find-vouchers-at-desk.ts'
import { listVoucherBatches } from './list-voucher-batches.ts'
import { mustFindVoucherType, typeNotFound } from './must-find-voucher-type.ts'
import { revealVoucher } from './reveal-voucher.ts'
import type { VoucherDeskDeps } from './voucher-desk-deps.ts'
import { registerVoucherTypeDeskRoutes } from './voucher-types.desk.routes.ts'
import {
  BatchListQuery,
  FindVouchersQuery,
  FoundVoucherList,
  ImportQuery,
  RevealedVoucher,
  RevealVoucherBody,
  VoucherBatchList,
  VoucherImportResult,
  VoucherParams,
  VoucherTypeParams,
  WithdrawalProposed,
  WithdrawVouchersBody,
} from './vouchers.desk.schemas.ts'

const tags = ['Vouchers']

/**
 * The size of a file with some 400,000 vouchers. The file is read into memory first, so that no transaction waits for a slow
 * upload.
 */
const fileBytesMax = 16_000_000

/** The most problems of a file, and the most found vouchers, that an answer shows. Nobody reads more. */
const problemsShownMax = 200
const foundMax = 50

const voucherNotFound = refuse(404, 'voucher_not_found', 'There is no such voucher.')

function registerImportRoute(desk: Api, { db, secretsKeys, log }: VoucherDeskDeps): void {
  desk.addContentTypeParser(['text/csv', 'text/plain'], { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  desk.post(
    '/vouchers/types/:type_id/import',
    {
      bodyLimit: fileBytesMax,
      config: {
        longWork: 'Every voucher of the file is encrypted and compared with the stock.',
        permission: 'manage_stock',
        isConfirmationNeeded: true,
        changesNothing: ({ query }) => (query as Static<typeof ImportQuery>).dry_run,
        refusals: [400, typeNotFound, 409],
      },
      schema: {
        operationId: 'deskImportVouchers',
        tags,
        summary: 'Import a file of vouchers, or see first what it would do',
        description: 'The body is the CSV file itself (`text/csv`, at most 16 MB). With a wrong row nothing is kept.',
        params: VoucherTypeParams,
        querystring: ImportQuery,
        response: { 200: Envelope(VoucherImportResult) },
      },
    },
    async ({ params, query, body, staff }) => {
      if (!Buffer.isBuffer(body)) throw new RefusalError(refusals.invalidRequest('The body must be a CSV file, as text/csv.'))
      const { dry_run: isDryRun, file_name: fileName, cost: costGhs } = query
      const type = await mustFindVoucherType(db, params.type_id)
      const request = { type, file: inPieces(body), isDryRun, actor: staff.actor, fileName, costGhs }
      const view = (result: { imported: number; skipped: number; knownLines: readonly number[] }, wrong?: VoucherFileError) =>
        ok({
          is_dry_run: isDryRun,
          imported: result.imported,
          skipped: result.skipped,
          known_lines: [...result.knownLines],
          problems: wrong?.problems.slice(0, problemsShownMax).map(({ line, message }) => ({ line, message })) ?? [],
          problem_count: wrong?.problems.length ?? 0,
        })
      try {
        const result = await importVouchers(db, secretsKeys, request)
        if (!isDryRun) await raiseLowStockAlarms(db, log)
        return view(result)
      } catch (error) {
        if (isDryRun && error instanceof VoucherFileError) return view({ imported: 0, skipped: 0, knownLines: [] }, error)
        throw error
      }
    },
  )
}

function registerBatchRoutes(desk: Api, { db, secretsKeys }: VoucherDeskDeps): void {
  desk.get(
    '/vouchers/types/:type_id/batches',
    {
      config: { permission: 'see', refusals: [typeNotFound] },
      schema: {
        operationId: 'deskListVoucherBatches',
        tags,
        summary: 'The imports of a type, newest first, with what is left of each',
        params: VoucherTypeParams,
        querystring: BatchListQuery,
        response: { 200: Envelope(VoucherBatchList) },
      },
    },
    async ({ params, query: { after, limit } }) => {
      const type = await mustFindVoucherType(db, params.type_id)
      const batches = await listVoucherBatches(db, type.id, { after, limit })
      return ok({
        batches: batches.map(({ id, imported_at, ...rest }) => ({
          batch_id: id,
          imported_at: imported_at.toISOString(),
          ...rest,
        })),
        next: batches.length < limit ? null : (batches.at(-1)?.id ?? null),
      })
    },
  )
  desk.post(
    '/vouchers/types/:type_id/withdraw',
    {
      config: { permission: 'manage_stock', isConfirmationNeeded: true, refusals: [400, typeNotFound, 409] },
      schema: {
        operationId: 'deskWithdrawVouchers',
        tags,
        summary: 'Propose to take unsold vouchers out of the stock',
        description: 'They are sold on until a second person confirms it. Exactly one way to choose them must be given.',
        params: VoucherTypeParams,
        body: WithdrawVouchersBody,
        response: { 200: Envelope(WithdrawalProposed) },
      },
    },
    async ({ params, body, staff }) => {
      const selection = selectionOf(body)
      const type = await mustFindVoucherType(db, params.type_id)
      const voucherIds = await listUnsoldVouchers(db, secretsKeys, type.id, selection)
      const withdrawal = { type, voucherIds, reason: body.reason.trim(), person: staff.person }
      const { approvalId, status } = await inTransaction(db, (tx) => withdrawVouchers(tx, withdrawal))
      return ok({ approval_id: approvalId, status, count: voucherIds.length })
    },
  )
}

/** @throws RefusalError unless exactly one selection is given */
function selectionOf({ batch_id: batchId, oldest, is_all: isAll }: Static<typeof WithdrawVouchersBody>): VoucherSelection {
  const ways: VoucherSelection[] = [
    ...(batchId === undefined ? [] : [{ batchId }]),
    ...(oldest === undefined ? [] : [{ oldest }]),
    ...(isAll ? [{}] : []),
  ]
  const [way] = ways
  if (way && ways.length === 1) return way
  throw new RefusalError(refusals.invalidRequest('Exactly one of batch_id, oldest and is_all says which vouchers are meant.'))
}

function registerRevealRoutes(desk: Api, { db, secretsKeys }: VoucherDeskDeps): void {
  desk.get(
    '/vouchers/found',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskFindVouchers',
        tags,
        summary: 'Find vouchers by their serial number, or by the order that bought them',
        querystring: FindVouchersQuery,
        response: { 200: Envelope(FoundVoucherList) },
      },
    },
    async ({ query }) => {
      const found = await findVouchersAtDesk(db, secretsKeys, query.text, foundMax)
      return ok({
        vouchers: found.map((voucher) => ({
          voucher_id: voucher.id,
          type_name: voucher.typeName,
          serial_end: voucher.serialEnd,
          state: voucher.state,
          imported_at: voucher.importedAt.toISOString(),
          sold_at: voucher.soldAt?.toISOString() ?? null,
          order_id: voucher.orderId,
        })),
      })
    },
  )
  desk.post(
    '/vouchers/found/:voucher_id/reveal',
    {
      config: { permission: 'manage_stock', isConfirmationNeeded: true, refusals: [400, voucherNotFound, 409] },
      schema: {
        operationId: 'deskRevealVoucher',
        tags,
        summary: 'See the PIN of one voucher; who saw it and why is logged',
        params: VoucherParams,
        body: RevealVoucherBody,
        response: { 200: Envelope(RevealedVoucher) },
      },
    },
    async ({ params, body, staff }, reply) => {
      const wanted = { id: params.voucher_id.toLowerCase(), actor: staff.actor, reason: body.reason.trim() }
      const revealed = await revealVoucher(db, secretsKeys, wanted)
      if (!revealed) throw new RefusalError(voucherNotFound)
      reply.header('cache-control', 'no-store')
      const { pin, serialNumber, typeName } = revealed
      return ok({ voucher_id: wanted.id, type_name: typeName, pin, serial_number: serialNumber })
    },
  )
}

export function registerVoucherDeskRoutes(desk: Api, deps: VoucherDeskDeps): void {
  registerVoucherTypeDeskRoutes(desk, deps)
  registerBatchRoutes(desk, deps)
  registerRevealRoutes(desk, deps)
  // A scope of its own, so that no other route accepts files.
  desk.register(async (scope) => {
    const files: Api = scope.withTypeProvider()
    registerImportRoute(files, deps)
  })
}
