import { viewLooseningResult } from '../../guards/loosening.ts'
import { ghs, pesewas, pesewasFromGhs } from '../../money/pesewas.ts'
import type { Person } from '../../platform/approvals/two-people.ts'
import { inTransaction } from '../../platform/database/in-transaction.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError, refusals, refuse } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { moveFloat } from '../float/move-float.ts'
import { changeSupplier } from '../registry/change-supplier.ts'
import { readSupplierUrl } from '../registry/read-supplier-change.ts'
import { testSupplier } from '../registry/test-supplier.ts'
import { type SupplierChange, SupplierExistsError } from '../registry/write-supplier.ts'
import { readFloatHistory } from './read-float-history.ts'
import {
  CredentialsBody,
  DeskSupplier,
  DeskSupplierList,
  FloatHistory,
  FloatMovementBody,
  FloatMovementNoted,
  FloatQuery,
  SupplierBody,
  SupplierChangeBody,
  SupplierPath,
  SupplierTestView,
} from './suppliers.schemas.ts'
import { type SupplierViewDeps, viewSuppliers } from './view-supplier.ts'

const tags = ['Suppliers']
const supplierNotFound = refuse(404, 'supplier_not_found', 'There is no such supplier.')
const supplierExists = refuse(409, 'supplier_exists', 'There is a supplier of this name already.')

async function viewOne(deps: SupplierViewDeps, name: string) {
  const { suppliers } = await viewSuppliers(deps)
  const found = suppliers.find(({ supplier }) => supplier === name)
  if (!found) throw new RefusalError(supplierNotFound)
  return found
}

/** Makes or proposes a change, and reloads the suppliers of this process at once. */
async function change(deps: SupplierViewDeps, name: string, wanted: SupplierChange, person: Person) {
  await changeSupplier(deps.db, deps.secretsKeys, { name, change: wanted, person })
  await deps.suppliers.refresh()
  return ok(await viewOne(deps, name))
}

function registerReading(desk: Api, deps: SupplierViewDeps): void {
  desk.get(
    '/suppliers',
    {
      config: { permission: 'see' },
      schema: {
        operationId: 'deskListSuppliers',
        tags,
        summary: 'The suppliers with their settings; of their credentials only the names',
        response: { 200: Envelope(DeskSupplierList) },
      },
    },
    async () => ok(await viewSuppliers(deps)),
  )
  desk.get(
    '/suppliers/:supplier/float',
    {
      config: { permission: 'see', refusals: [404] },
      schema: {
        operationId: 'deskReadFloat',
        tags,
        summary: 'How our float at a supplier was, and what was put in or taken out',
        params: SupplierPath,
        querystring: FloatQuery,
        response: { 200: Envelope(FloatHistory) },
      },
    },
    async ({ params, query }) => {
      await viewOne(deps, params.supplier)
      const { reads, movements } = await readFloatHistory(deps.db, params.supplier, query.days)
      return ok({
        reads: reads.map(({ at, amount }) => ({ at: at.toISOString(), float: ghs(pesewas(amount)) })),
        movements: movements.map(({ id, at, amount, note, noted_by }) => ({
          movement_id: id,
          at: at.toISOString(),
          amount: ghs(pesewas(amount)),
          note,
          noted_by,
        })),
      })
    },
  )
}

function registerSettings(desk: Api, deps: SupplierViewDeps): void {
  desk.post(
    '/suppliers',
    {
      config: { permission: 'manage_suppliers', isConfirmationNeeded: true, refusals: [supplierExists] },
      schema: {
        operationId: 'deskAddSupplier',
        tags,
        summary: 'Add a supplier',
        body: SupplierBody,
        response: { 200: Envelope(DeskSupplier) },
      },
    },
    async ({ body: { supplier: name, adapter, base_url, reason }, staff }) => {
      // A new supplier gets no order before its credentials and its routes are set.
      const wanted = { adapter, reason, isNew: true, ...(base_url !== undefined && { baseUrl: readSupplierUrl(base_url) }) }
      try {
        return await change(deps, name, wanted, staff.person)
      } catch (error) {
        throw error instanceof SupplierExistsError ? new RefusalError(supplierExists) : error
      }
    },
  )
  desk.post(
    '/suppliers/:supplier/settings',
    {
      config: { permission: 'manage_suppliers', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskChangeSupplier',
        tags,
        summary: 'Change a supplier: whether it is used, its address, its pace, its adapter’s settings',
        params: SupplierPath,
        body: SupplierChangeBody,
        response: { 200: Envelope(DeskSupplier) },
      },
    },
    async ({ params, body, staff }) => {
      await viewOne(deps, params.supplier)
      const wanted: SupplierChange = {
        reason: body.reason,
        ...(body.enabled !== undefined && { isEnabled: body.enabled }),
        ...(body.base_url !== undefined && { baseUrl: readSupplierUrl(body.base_url) }),
        ...(body.slots !== undefined && { slots: body.slots }),
        ...(body.requests_per_second !== undefined && { requestsPerSecond: body.requests_per_second }),
        ...(body.settings !== undefined && { settings: body.settings, areAllSettings: true }),
      }
      return change(deps, params.supplier, wanted, staff.person)
    },
  )
}

function registerCredentials(desk: Api, deps: SupplierViewDeps): void {
  desk.post(
    '/suppliers/:supplier/credentials',
    {
      config: { permission: 'manage_suppliers', isConfirmationNeeded: true, refusals: [404, 409] },
      schema: {
        operationId: 'deskSetSupplierCredentials',
        tags,
        summary: 'Set credentials at a supplier; they are sealed, and never shown again',
        params: SupplierPath,
        body: CredentialsBody,
        response: { 200: Envelope(DeskSupplier) },
      },
    },
    async ({ params, body: { credentials, reason }, staff }) => {
      await viewOne(deps, params.supplier)
      return change(deps, params.supplier, { credentials, reason }, staff.person)
    },
  )
}

function registerCalls(desk: Api, deps: SupplierViewDeps): void {
  desk.post(
    '/suppliers/:supplier/test',
    {
      config: {
        longWork: 'The supplier is given 10 s for its answer, a registration server 30 s.',
        permission: 'manage_suppliers',
        refusals: [404, 409],
      },
      schema: {
        operationId: 'deskTestSupplier',
        tags,
        summary: 'Call a supplier without buying anything',
        params: SupplierPath,
        response: { 200: Envelope(SupplierTestView) },
      },
    },
    async ({ params, staff }) => {
      await viewOne(deps, params.supplier)
      return ok(await testSupplier({ db: deps.db, registry: deps.suppliers }, params.supplier, staff.actor))
    },
  )
  desk.post(
    '/suppliers/:supplier/float-movements',
    {
      config: { permission: 'reconcile', refusals: [404, 409] },
      schema: {
        operationId: 'deskNoteFloatMovement',
        tags,
        summary: 'Note money that was put in at a supplier, or taken out; moves nothing',
        description: 'Above what one person may credit alone it is proposed, and a second person confirms it.',
        params: SupplierPath,
        body: FloatMovementBody,
        response: { 200: Envelope(FloatMovementNoted) },
      },
    },
    async ({ params: { supplier }, body: { reference, amount, note, moved_at }, staff: { person } }) => {
      await viewOne(deps, supplier)
      const amountPesewas = pesewasFromGhs(amount)
      if (amountPesewas === undefined || amountPesewas === 0) {
        throw new RefusalError(refusals.invalidRequest('amount must not be 0.'))
      }
      const movedAt = moved_at === undefined ? {} : { movedAt: new Date(moved_at) }
      const noted = await inTransaction(deps.db, (tx) =>
        moveFloat(tx, { id: reference, supplier, amountPesewas, note, person, isLive: !deps.isSimulated, ...movedAt }),
      )
      return ok({
        ...viewLooseningResult(noted.loosened),
        movement_id: noted.id,
        amount: ghs(noted.amountPesewas),
        moved_at: noted.movedAt.toISOString(),
      })
    },
  )
}

export function registerSupplierDeskRoutes(desk: Api, deps: SupplierViewDeps): void {
  registerReading(desk, deps)
  registerSettings(desk, deps)
  registerCredentials(desk, deps)
  registerCalls(desk, deps)
}
