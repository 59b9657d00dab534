import Type, { type Static } from 'typebox'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { RefusalError, refuse } from '../../../platform/http/refusals.ts'
import { Nullable, Omissible, OneOf, sensitive, Uuid } from '../../../platform/http/schemas.ts'
import { Timestamp, WithWireName } from '../../../platform/operations/fields.ts'
import { operation } from '../../../platform/operations/operation.ts'
import { pageOf } from '../../../platform/page-of.ts'
import { listUnsoldVouchers, type VoucherSelection, withdrawVouchers } from '../withdraw-vouchers.ts'
import { findVouchersAtDesk } from './find-vouchers-at-desk.ts'
import { listVoucherBatches } from './list-voucher-batches.ts'
import { revealVoucher } from './reveal-voucher.ts'
import { mustFindVoucherType, typeNotFound, VoucherReason } from './voucher-types.operations.ts'

/** The most found vouchers that are shown. Nobody reads more. */
const foundMax = 50

const voucherNotFound = refuse(404, 'voucher_not_found', 'There is no such voucher.')

const VoucherBatch = Type.Object(
  {
    id: WithWireName('batch_id', Uuid()),
    imported_at: Timestamp(),
    imported_by: Nullable(Type.String()),
    file_name: Nullable(Type.String()),
    imported: Type.Integer(),
    skipped: Type.Integer({ description: 'Rows of the file that were known already.' }),
    left: Type.Integer({ description: 'How many of it nobody has bought.' }),
    withdrawn: Type.Integer({ description: 'How many of it were taken out of the stock.' }),
  },
  { title: 'VoucherBatch' },
)

const FoundVoucher = Type.Object(
  {
    id: WithWireName('voucher_id', Uuid()),
    typeName: Type.String(),
    serialEnd: Nullable(Type.String({ description: 'The last 4 characters of the serial number.' })),
    state: OneOf(['in_stock', 'sold', 'withdrawn']),
    importedAt: Timestamp(),
    soldAt: Nullable(Timestamp()),
    orderId: Nullable(Uuid()),
  },
  { title: 'FoundVoucher' },
)

const Withdrawal = Type.Object(
  {
    typeId: Uuid(),
    batchId: Omissible(Uuid({ description: 'What is left of one import.' })),
    oldest: Omissible(Type.Integer({ minimum: 1, maximum: 999_999, description: 'Those that would be sold next.' })),
    isAll: Omissible(Type.Boolean({ description: 'All that are left.' })),
    reason: VoucherReason,
  },
  { title: 'WithdrawVouchersBody' },
)

function selectionsOf({ batchId, oldest, isAll }: Static<typeof Withdrawal>): VoucherSelection[] {
  return [...(batchId === undefined ? [] : [{ batchId }]), ...(oldest === undefined ? [] : [{ oldest }]), ...(isAll ? [{}] : [])]
}

const stock = { tag: 'Vouchers', permission: 'manage_stock', isConfirmationNeeded: true } as const

/** Operations that only the desk has. The commands for vouchers are defined elsewhere. */
export const voucherDeskOperations = [
  operation({
    route: 'GET /vouchers/types/:type_id/batches',
    operationId: 'deskListVoucherBatches',
    tag: 'Vouchers',
    permission: 'see',
    refusals: [typeNotFound],
    summary: 'The imports of a type, newest first, with what is left of each',
    input: Type.Object({
      typeId: Uuid(),
      after: Type.Optional(Uuid()),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    }),
    output: Type.Object(
      { batches: Type.Array(VoucherBatch), next: Nullable(Uuid({ description: '`after` of the next page.' })) },
      { title: 'VoucherBatchList' },
    ),
    async act({ db }, _actor, { typeId, after, limit }) {
      const type = await mustFindVoucherType(db, typeId)
      const list = (rows: number) => listVoucherBatches(db, type.id, { after, limit: rows })
      const { rows: batches, next } = await pageOf(limit, list, (batch) => batch.id)
      return { batches, next }
    },
  }),
  operation({
    ...stock,
    route: 'POST /vouchers/types/:type_id/withdraw',
    operationId: 'deskWithdrawVouchers',
    refusals: [400, typeNotFound, 409],
    summary: 'Propose to take unsold vouchers out of the stock',
    description: 'They are sold on until a second person confirms it. Exactly one way to choose them must be given.',
    input: Withdrawal,
    output: Type.Object(
      {
        approvalId: Uuid(),
        status: OneOf(['pending', 'done', 'same_waits'], {
          description: '`pending`: a second person has to confirm it. `same_waits`: an equal proposal waits, which is named.',
        }),
        count: Type.Integer(),
      },
      { title: 'WithdrawalProposed' },
    ),
    check: (withdrawal) =>
      selectionsOf(withdrawal).length === 1
        ? undefined
        : 'Exactly one of batch_id, oldest and is_all says which vouchers are meant.',
    async act({ db, openSecrets }, { person }, withdrawal) {
      const [selection = {}] = selectionsOf(withdrawal)
      const type = await mustFindVoucherType(db, withdrawal.typeId)
      const voucherIds = await listUnsoldVouchers(db, await openSecrets(), type.id, selection)
      const request = { type, voucherIds, reason: withdrawal.reason.trim(), person }
      return { ...(await inTransaction(db, (tx) => withdrawVouchers(tx, request))), count: voucherIds.length }
    },
  }),
  operation({
    route: 'GET /vouchers/found',
    operationId: 'deskFindVouchers',
    tag: 'Vouchers',
    permission: 'see',
    summary: 'Find vouchers by their serial number, or by the order that bought them',
    input: Type.Object({
      text: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'A serial number, the id of a voucher, or the reference or id of the order that bought it.',
      }),
    }),
    output: Type.Object({ vouchers: Type.Array(FoundVoucher) }, { title: 'FoundVoucherList' }),
    async act({ db, openSecrets }, _actor, { text }) {
      return { vouchers: await findVouchersAtDesk(db, await openSecrets(), text, foundMax) }
    },
  }),
  operation({
    ...stock,
    route: 'POST /vouchers/found/:voucher_id/reveal',
    operationId: 'deskRevealVoucher',
    refusals: [400, voucherNotFound, 409],
    summary: 'See the PIN of one voucher; who saw it and why is logged',
    input: Type.Object({ voucherId: Uuid(), reason: VoucherReason }, { title: 'RevealVoucherBody' }),
    output: Type.Object(
      { voucherId: Uuid(), typeName: Type.String(), pin: Type.String(sensitive), serialNumber: Type.String(sensitive) },
      { title: 'RevealedVoucher' },
    ),
    async act({ db, openSecrets }, { actor }, { voucherId, reason }) {
      const wanted = { id: voucherId.toLowerCase(), actor, reason: reason.trim() }
      const revealed = await revealVoucher(db, await openSecrets(), wanted)
      if (!revealed) throw new RefusalError(voucherNotFound)
      return { voucherId: wanted.id, ...revealed }
    },
  }),
]
