import { BlockList, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { RefusalError } from '../../platform/http/refusals.ts'
import { developerRefusals } from './developer.refusals.ts'

/**
 * One address or a network in canonical form: its first address, `/`, the number of fixed bits.
 * @throws RefusalError 400 for any other text
 */
function canonicalRange(text: string): string {
  const [address = '', bits, ...rest] = text.trim().split('/')
  // Refuses the short and octal ways of writing an IPv4 address, because programs read them differently.
  const isPlain = rest.length === 0 && (isIPv4(address) || ipaddr.IPv6.isValid(address)) && !address.includes('%')
  if (!isPlain || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw new RefusalError(developerRefusals.badAddress(text))
  const parsed = ipaddr.process(address)
  const widest = parsed.kind() === 'ipv4' ? 32 : 128
  // For IPv4 written as IPv6, the number of bits includes the 96 bits before the IPv4 address.
  const isMapped = parsed.kind() === 'ipv4' && !isIPv4(address)
  const fixed = bits === undefined ? widest : Number(bits) - (isMapped ? 96 : 0)
  if (fixed < 0 || fixed > widest) throw new RefusalError(developerRefusals.badAddress(text))
  const kind = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${kind.networkAddressFromCIDR(`${parsed.toString()}/${fixed}`).toString()}/${fixed}`
}

/**
 * Reads a list of addresses and networks, each once and in canonical form.
 *
 * @throws RefusalError 400 for any other text
 */
export function readAddressRanges(texts: readonly string[]): string[] {
  return [...new Set(texts.map(canonicalRange))]
}

/**
 * Makes a check that an address lies in one of the ranges; undefined for an empty list, which means everywhere. It is made when
 * a key is read from the database, so that a request only compares addresses in memory.
 */
export function createAddressCheck(ranges: readonly string[]): ((address: string) => boolean) | undefined {
  if (ranges.length === 0) return undefined
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  // A server on both protocols reports IPv4 addresses in IPv6 form. `BlockList` compares these as IPv4 by itself.
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
