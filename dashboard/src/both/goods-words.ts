import type { Schema } from './api/call-api.ts'

type Line = Schema<'OrderLine'>

const billerNames: Readonly<Record<string, string>> = {
  ecg: 'ECG',
  ghana_water: 'Ghana Water',
  dstv: 'DStv',
  gotv: 'GOtv',
  startimes: 'StarTimes',
}

/** The name of a network or of a biller as people know it. */
export const networkName = (network: string): string => billerNames[network] ?? network

/** The goods of an order: `MTN 5GB`, `Telecel airtime`, `ECG bill`. */
export function goodsWords({ product, network, variety }: Pick<Line, 'product' | 'network' | 'variety'>): string {
  const last = { data: 'data', airtime: 'airtime', utilities: 'bill', results_checker: 'voucher', afa: 'AFA', sms: 'SMS' }
  const who = network === null ? null : networkName(network)
  return [who, variety ?? last[product as keyof typeof last] ?? product].filter((word) => word !== null).join(' ')
}
