import { type Refusals, refuse } from '../../platform/http/refusals.ts'

export const businessRefusals = {
  businessIsApproved: refuse(409, 'business_is_approved', 'This account is approved as a business already.'),
  businessRequestWaits: refuse(409, 'business_request_waits', 'Your request waits for our answer already.'),
} as const satisfies Refusals
