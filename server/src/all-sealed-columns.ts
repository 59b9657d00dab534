import { sealedGatewayColumns } from './gateways/gateway-credentials.ts'
import { sealedWebhookColumns } from './notices/webhooks/endpoints.ts'
import { keptMailColumn } from './people/mails/send-person-mails.ts'
import { sealedPushKeys } from './people/push/push-keys.ts'
import { sealedNumbersColumn } from './personal/erasures.ts'
import { sealedNumberKeys } from './platform/forgetting/number-hash.ts'
import type { SealedColumn } from './platform/secrets/rotate-secrets.ts'
import { products } from './products/products.ts'
import { sealedSupplierColumns } from './suppliers/registry/supplier-credentials.ts'

/**
 * Every column with encrypted texts. The texts of a column that is missing here are not encrypted again with a new key, so they
 * are lost when the old key is removed.
 */
export const allSealedColumns: readonly SealedColumn[] = [
  sealedNumbersColumn,
  ...sealedNumberKeys,
  ...sealedSupplierColumns,
  ...sealedWebhookColumns,
  keptMailColumn,
  ...sealedPushKeys,
  ...sealedGatewayColumns,
  ...products.flatMap(({ sealedColumns }) => sealedColumns),
]
