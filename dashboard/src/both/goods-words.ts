import { inLanguage } from '../languages/in-language.ts'
import type { Schema } from './api/call-api.ts'

type Line = Schema<'OrderLine'>

const billerNames: Readonly<Record<string, string>> = {
  ecg: 'ECG',
  ghana_water: 'Ghana Water',
  dstv: 'DStv',
  gotv: 'GOtv',
  startimes: 'StarTimes',
}

export const goodsNames: Readonly<Record<string, string>> = inLanguage('goodsNames', {
  data: 'data',
  airtime: 'airtime',
  utilities: 'bill',
  results_checker: 'voucher',
  afa: 'AFA',
  sms: 'SMS',
})

/** The name of goods with that of the network or biller: `Telecel airtime`. */
export const goodsWithName = inLanguage('goodsWithName', { of: (who: string, goods: string) => `${who} ${goods}` })

/** The name of a network or of a biller as people know it. */
export const networkName = (network: string): string => billerNames[network] ?? network

/** The goods of an order: `MTN 5GB`, `Telecel airtime`, `ECG bill`. */
export function goodsWords({ product, network, variety }: Pick<Line, 'product' | 'network' | 'variety'>): string {
  const who = network === null ? null : networkName(network)
  if (variety !== null) return who === null ? variety : `${who} ${variety}`
  const goods = goodsNames[product] ?? product
  return who === null ? goods : goodsWithName.of(who, goods)
}
