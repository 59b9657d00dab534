import { defineSwitch } from '../platform/settings/setting-schemas.ts'

/** Off: a failed data order waits for a person to refund it (decisions S2). */
export const dataAutoRefund = defineSwitch(
  'data_auto_refund',
  true,
  'Whether a data order that failed is refunded by itself; false leaves the refund to a person.',
)

export const ordersSettings = [dataAutoRefund]
