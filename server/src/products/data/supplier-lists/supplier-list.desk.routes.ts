import Type from 'typebox'
import { ghs } from '../../../money/pesewas.ts'
import type { Db } from '../../../platform/database/database.ts'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import { Nullable, OneOf } from '../../../platform/http/schemas.ts'
import type { SupplierRegistry } from '../../../suppliers/ports.ts'
import { readPackageList } from '../../../suppliers/registry/read-package-list.ts'
import { compareSupplierList } from './compare-supplier-list.ts'

const SupplierPackages = Type.Object(
  {
    packages: Type.Array(
      Type.Object({
        network: Type.String(),
        volume_gb: Type.Number(),
        result: OneOf(['same', 'cost_differs', 'code_differs', 'not_ours', 'not_theirs'], {
          description: '`not_ours`: we do not buy it there. `not_theirs`: we do, and it is not on the list.',
        }),
        code_theirs: Nullable(Type.String()),
        code_ours: Nullable(Type.String()),
        cost_theirs: Nullable(Type.Number({ description: 'GHS.' })),
        cost_ours: Nullable(Type.Number({ description: 'GHS.' })),
        is_closed: Type.Boolean({ description: 'Our offer is closed: nothing is bought by it.' }),
      }),
    ),
  },
  { title: 'SupplierPackages' },
)

export function registerSupplierListRoute(
  desk: Api,
  { db, suppliers }: { readonly db: Db; readonly suppliers: Pick<SupplierRegistry, 'find'> },
): void {
  desk.get(
    '/suppliers/:supplier/packages',
    {
      config: { longWork: 'The supplier is given 30 s for its price list.', permission: 'see', refusals: [409] },
      schema: {
        operationId: 'deskCompareSupplierPackages',
        tags: ['Suppliers'],
        summary: 'Read a supplier’s own price list, beside what we think that we buy there',
        params: Type.Object({ supplier: Type.String({ minLength: 1, maxLength: 100 }) }),
        response: { 200: Envelope(SupplierPackages) },
      },
    },
    async ({ params: { supplier } }) => {
      const compared = await compareSupplierList(db, supplier, await readPackageList(suppliers, supplier))
      const packages = compared.map(({ network, volumeGb, result, codeTheirs, codeOurs, costTheirs, costOurs, isClosed }) => ({
        network,
        volume_gb: volumeGb,
        result,
        code_theirs: codeTheirs,
        code_ours: codeOurs,
        cost_theirs: costTheirs === null ? null : ghs(costTheirs),
        cost_ours: costOurs === null ? null : ghs(costOurs),
        is_closed: isClosed,
      }))
      return ok({ packages })
    },
  )
}
