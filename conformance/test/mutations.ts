import type { Mutation } from './mutating-proxy.ts'

/** A fault, the chapter that finds it, and words of the sentence that it breaks. */
type NamedMutation = Mutation & { readonly name: string; readonly chapter: string; readonly sentence: string }

let orders = 0

export const mutations: readonly NamedMutation[] = [
  {
    name: 'an answer without meta',
    on: 'GET /wallet/balance',
    chapter: 'Envelopes',
    sentence: 'A success has success true, data, and meta',
    change: ({ body }) => void delete body.meta,
  },
  {
    name: 'a refusal with another code than its status',
    on: 'GET /orders/',
    chapter: 'Envelopes',
    sentence: 'A refusal has success false, error.code',
    change: ({ body }) => void (body.error && (body.error.code = 400)),
  },
  {
    name: 'no key is welcome',
    on: 'GET /wallet/balance',
    chapter: 'Authentication',
    sentence: 'A missing key returns 401.',
    change: (answer) => {
      if (answer.key === '') Object.assign(answer, { status: 200, body: { success: true, data: {}, meta: {} } })
    },
  },
  {
    name: 'a Bearer prefix is taken',
    on: 'GET /wallet/balance',
    chapter: 'Authentication',
    sentence: 'with no Bearer prefix',
    change: (answer) => {
      if (answer.key.startsWith('Bearer')) Object.assign(answer, { status: 200, body: { success: true, data: {}, meta: {} } })
    },
  },
  {
    name: 'a commission key is answered with 401',
    on: 'GET /wallet/balance',
    chapter: 'Authentication',
    sentence: 'A commission key is rejected with 403',
    change: (answer) => {
      if (answer.status === 403)
        Object.assign(answer, { status: 401, body: { success: false, error: { code: 401, message: 'no' } } })
    },
  },
  {
    name: 'a top-up answers 404',
    on: 'POST /wallet/topup',
    chapter: 'Errors and versions',
    sentence: 'POST /wallet/topup always answers 410.',
    change: (answer) =>
      void Object.assign(answer, { status: 404, body: { success: false, error: { code: 404, message: 'no' } } }),
  },
  {
    name: 'another version',
    on: 'GET /afa/orders',
    chapter: 'Errors and versions',
    sentence: 'meta.version equal to v2',
    change: ({ body }) => void (body.meta.version = 'v3'),
  },
  {
    name: 'a role without days_remaining',
    on: 'GET /account/role',
    chapter: 'Account and wallet',
    sentence: 'The role has role, is_active',
    change: ({ body }) => void delete body.data.days_remaining,
  },
  {
    name: 'a balance as a text',
    on: 'GET /wallet/balance',
    chapter: 'Account and wallet',
    sentence: 'The balance is a number in GHS.',
    change: ({ body }) => void (body.data.balance = String(body.data.balance)),
  },
  {
    name: 'a price with three decimals',
    on: 'GET /packages',
    chapter: 'Packages',
    sentence: 'A package has id, network, size',
    change: ({ body }) => void (body.data && (body.data.packages[0].price = 4.555)),
  },
  {
    name: 'the filter by network is not heard',
    on: 'GET /packages?network=MTN',
    chapter: 'Packages',
    sentence: 'network keeps the packages of that network alone',
    change: ({ body }) => void (body.data.packages[0].network = 'Telecel'),
  },
  {
    name: 'a non-MTN number is not allowed',
    on: 'POST /data/verify-number',
    chapter: 'Checks of numbers',
    sentence: 'A network that is not MTN is allowed at once.',
    change: ({ body }) => void (body.data && (body.data.allowed = false)),
  },
  {
    name: 'a server answers with another number',
    on: 'POST /data/verify-number/server-2',
    chapter: 'Checks of numbers',
    sentence: 'Each server answers with its number',
    change: (answer) => {
      const data = { recipient: '0241234567', network: 'MTN', server: 1, allowed: true }
      Object.assign(answer, { status: 200, body: { success: true, data, meta: {} } })
    },
  },
  {
    name: 'a repeat is another order',
    on: 'POST /data/purchase',
    chapter: 'Data orders',
    sentence: 'A repeat with the same reference and body returns the original order',
    change: ({ body }) => {
      orders += 1
      if (body.data) body.data.order_id = `00000000-0000-4000-8000-${String(orders).padStart(12, '0')}`
    },
  },
  {
    name: 'a used reference is accepted for another request',
    on: 'POST /data/purchase',
    chapter: 'Data orders',
    sentence: 'A reference that is used for another request returns 409',
    change: (answer) => {
      if (answer.status === 409) Object.assign(answer, { status: 200, body: { success: true, data: {}, meta: {} } })
    },
  },
  {
    name: 'new_balance does not move',
    on: 'POST /data/purchase',
    chapter: 'Data orders',
    sentence: 'new_balance is what is left',
    change: ({ body }) => void (body.data && (body.data.new_balance += body.data.price)),
  },
  {
    name: 'a status that there is not',
    on: 'POST /data/purchase',
    chapter: 'Data orders',
    sentence: 'A purchase answers the order, pending or queued',
    change: ({ body }) => void (body.data && (body.data.status = 'done')),
  },
  {
    name: 'an order without the moment it was created',
    on: 'GET /orders/',
    chapter: 'Data orders',
    sentence: 'with the moment it was created',
    change: ({ body }) => void delete body.data?.created_at,
  },
  {
    name: 'a batch without skipped',
    on: 'POST /data/bulk',
    chapter: 'Batches',
    sentence: 'A batch answers what was placed',
    change: ({ body }) => void delete body.data?.skipped,
  },
  {
    name: 'a refused batch answers 500',
    on: 'POST /data/bulk',
    chapter: 'Batches',
    sentence: 'An order that is not valid rejects the whole batch',
    change: (answer) => {
      if (answer.status === 404)
        Object.assign(answer, { status: 500, body: { success: false, error: { code: 500, message: 'no' } } })
    },
  },
  {
    name: 'airtime with a fee',
    on: 'POST /airtime/purchase',
    chapter: 'Airtime',
    sentence: 'No fee is charged',
    change: ({ body }) => void (body.data && Object.assign(body.data, { fee_amount: 0.5, total_paid: 1.5 })),
  },
  {
    name: 'a reason before the refund',
    on: 'GET /airtime/orders/',
    chapter: 'Airtime',
    sentence: 'reason is there only when the status is refunded',
    change: ({ body }) => void (body.data && (body.data.reason = 'Wait.')),
  },
  {
    name: 'a recall without its vouchers',
    on: 'GET /resultschecker/orders/',
    chapter: 'Results checker',
    sentence: 'The look-up by reference returns the vouchers again.',
    change: ({ body }) => void (body.data && (body.data.vouchers = [])),
  },
  {
    name: 'a purchase beyond the stock answers 409',
    on: 'POST /resultschecker/purchase',
    chapter: 'Results checker',
    sentence: 'A purchase beyond the stock is refused',
    change: (answer) => {
      if (answer.status === 400)
        Object.assign(answer, { status: 409, body: { success: false, error: { code: 409, message: 'no' } } })
    },
  },
  {
    name: 'a child is registered',
    on: 'POST /afa/register',
    chapter: 'AFA registration',
    sentence: 'An applicant under 18 is refused with 400.',
    change: (answer) => {
      if (answer.sent.date_of_birth !== '1990-01-01')
        Object.assign(answer, { status: 200, body: { success: true, data: {}, meta: {} } })
    },
  },
  {
    name: 'a number that is sent twice counts twice',
    on: 'POST /sms/send',
    chapter: 'SMS',
    sentence: 'Duplicates are removed',
    change: ({ body }) => void (body.data && (body.data.recipients = 2)),
  },
  {
    name: 'a switched-off biller is not listed',
    on: 'GET /utilities/billers',
    chapter: 'Utility bills',
    sentence: 'The catalogue lists the five billers',
    change: ({ body }) => void body.data.billers.pop(),
  },
  {
    name: 'a repeat of a payment in its long form',
    on: 'POST /utilities/pay',
    chapter: 'Utility bills',
    sentence: 'returns the order in its small form',
    change: ({ body }) => void delete body.data?.already_processed,
  },
  {
    name: 'a reference of a payment that is the caller’s own',
    on: 'POST /utilities/pay',
    chapter: 'Utility bills',
    sentence: 'The reference of the answer is made by the service',
    change: ({ body, sent }) => void (body.data && (body.data.reference = sent.reference)),
  },
]
