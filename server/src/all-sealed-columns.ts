import type { SealedColumn } from './platform/secrets/rotate-secrets.ts'
import { sealedIdentityColumns } from './products/afa/seal-identity.ts'
import { sealedVoucherColumns } from './products/results-checker/seal-voucher.ts'
import { sealedSupplierColumns } from './suppliers/registry/supplier-credentials.ts'

/** Every column that holds sealed texts. What is missing here is lost when its key is taken away. */
export const allSealedColumns: readonly SealedColumn[] = [
  ...sealedSupplierColumns,
  ...sealedVoucherColumns,
  ...sealedIdentityColumns,
]
