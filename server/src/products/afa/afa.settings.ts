import { defineSwitch } from '../../platform/settings/setting-schemas.ts'

/** Off: registrations answer 503 (decisions S9c). */
export const afaEnabled = defineSwitch('afa_enabled', true, 'Whether AFA registrations are taken; false answers 503.')

/** On: the fee of a cancelled registration is credited back (decisions S3). */
export const afaRefundOnCancel = defineSwitch(
  'afa_refund_on_cancel',
  true,
  'Whether the fee of a cancelled AFA registration is credited back.',
)

export const afaSettings = [afaEnabled, afaRefundOnCancel]
