import type { Endpoint } from './types.ts'

export type KeyType = 'standard' | 'commission' | 'sms'

type EndpointFacts = readonly [method: 'GET' | 'POST', path: string, keyType: KeyType]

/** Where each endpoint is, and the key that it takes. `topUpWallet` is left out: it was removed from the API for good. */
export const endpoints: Readonly<Record<Exclude<Endpoint, 'topUpWallet'>, EndpointFacts>> = {
  readAccountRole: ['GET', '/account/role', 'standard'],
  readWalletBalance: ['GET', '/wallet/balance', 'standard'],
  readRequest: ['GET', '/requests/{request_id}', 'standard'],
  listWalletTransactions: ['GET', '/wallet/transactions', 'standard'],
  listAllOrders: ['GET', '/orders', 'standard'],
  listPackages: ['GET', '/packages', 'standard'],
  purchaseData: ['POST', '/data/purchase', 'standard'],
  purchaseDataBatch: ['POST', '/data/bulk', 'standard'],
  findDataOrder: ['GET', '/orders/{reference}', 'standard'],
  verifyNumber: ['POST', '/data/verify-number', 'standard'],
  verifyNumberOnServer1: ['POST', '/data/verify-number/server-1', 'standard'],
  verifyNumberOnServer2: ['POST', '/data/verify-number/server-2', 'standard'],
  purchaseAirtime: ['POST', '/airtime/purchase', 'commission'],
  listAirtimeOrders: ['GET', '/airtime/orders', 'commission'],
  findAirtimeOrder: ['GET', '/airtime/orders/{reference}', 'commission'],
  listVoucherTypes: ['GET', '/resultschecker/types', 'standard'],
  purchaseVouchers: ['POST', '/resultschecker/purchase', 'standard'],
  listVoucherOrders: ['GET', '/resultschecker/orders', 'standard'],
  recallVouchers: ['GET', '/resultschecker/orders/{reference}', 'standard'],
  registerAfa: ['POST', '/afa/register', 'standard'],
  listAfaOrders: ['GET', '/afa/orders', 'standard'],
  findAfaOrder: ['GET', '/afa/orders/{reference}', 'standard'],
  sendSms: ['POST', '/sms/send', 'sms'],
  listSmsSenders: ['GET', '/sms/senders', 'sms'],
  listSmsCampaigns: ['GET', '/sms/campaigns', 'sms'],
  listSmsMessages: ['GET', '/sms/messages/{id}', 'sms'],
  listSmsOptOuts: ['GET', '/sms/opt-outs', 'sms'],
  addSmsOptOuts: ['POST', '/sms/opt-outs', 'sms'],
  removeSmsOptOuts: ['POST', '/sms/opt-outs/remove', 'sms'],
  readSmsBalance: ['GET', '/sms/balance', 'sms'],
  listBillers: ['GET', '/utilities/billers', 'commission'],
  lookUpBillAccount: ['GET', '/utilities/lookup', 'commission'],
  payBill: ['POST', '/utilities/pay', 'commission'],
  findUtilityOrder: ['GET', '/utilities/orders/{reference}', 'commission'],
}
