import { BlockList, isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { RefusalError } from '../../platform/http/refusals.ts'
import { developerRefusals } from './developer.refusals.ts'

/**
 * One address or a network, in the one way of writing it: its first address, `/`, the bits that are fixed.
 * @throws RefusalError 400 for what is neither
 */
function canonicalRange(text: string): string {
  const [address = '', bits, ...rest] = text.trim().split('/')
  // The short and octal ways of writing an IPv4 address are read differently by different programs.
  const isPlain = rest.length === 0 && (isIPv4(address) || ipaddr.IPv6.isValid(address)) && !address.includes('%')
  if (!isPlain || (bits !== undefined && !/^\d{1,3}$/.test(bits))) throw new RefusalError(developerRefusals.badAddress(text))
  const parsed = ipaddr.process(address)
  const widest = parsed.kind() === 'ipv4' ? 32 : 128
  // A network that is written as IPv4 within IPv6 counts its bits from the IPv6 address.
  const isMapped = parsed.kind() === 'ipv4' && !isIPv4(address)
  const fixed = bits === undefined ? widest : Number(bits) - (isMapped ? 96 : 0)
  if (fixed < 0 || fixed > widest) throw new RefusalError(developerRefusals.badAddress(text))
  const kind = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return `${kind.networkAddressFromCIDR(`${parsed.toString()}/${fixed}`).toString()}/${fixed}`
}

/**
 * Reads a list of addresses and networks, each once and in the one way of writing it.
 *
 * @throws RefusalError 400 for what is neither
 */
export function readAddressRanges(texts: readonly string[]): string[] {
  return [...new Set(texts.map(canonicalRange))]
}

/**
 * Prepares the question whether an address lies in one of the ranges; undefined when there is none, which means
 * everywhere. It is prepared when a key is read, so that a request pays one look-up in memory.
 */
export function openAddressCheck(ranges: readonly string[]): ((address: string) => boolean) | undefined {
  if (ranges.length === 0) return undefined
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits = ''] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  // `BlockList` itself compares an IPv4 address that is written as IPv6, which a server that listens on both reports.
  return (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
