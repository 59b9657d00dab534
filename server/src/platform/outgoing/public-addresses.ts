import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'

/** An address of a private network, of this machine, or of another kind that nobody outside can mean. */
export class AddressNotPublicError extends Error {
  override readonly name = 'AddressNotPublicError'
  readonly code = 'ADDRESS_NOT_PUBLIC'
}

/**
 * Whether an IP address is one of the public internet. Private, local, shared, multicast and reserved addresses are not, nor
 * are IPv6 addresses that stand for an IPv4 address and could hide one of these. An IPv4 address written as IPv6 counts as itself.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/** The address in a URL: IPv6 addresses stand there in brackets. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * Resolves a name and refuses it if one of its addresses is not public. The connection goes to the addresses that were
 * checked, so a name that changes its address between the check and the connection gains nothing.
 */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const isRefused = !error && (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address)))
    const failure = error ?? (isRefused ? new AddressNotPublicError('The name has no public address.') : null)
    const [first] = addresses ?? []
    if (options.all) done(failure, addresses ?? [])
    else done(failure, first?.address ?? '', first?.family ?? 0)
  })
}

/**
 * Opens an agent that connects to addresses of the public internet alone. For requests to addresses that somebody outside has
 * given. It follows no redirects. The caller closes it.
 */
export function openPublicAgent(): Agent {
  const connect = buildConnector({ lookup: publicLookup, timeout: 5_000 })
  return new Agent({
    connect: (options, done) => {
      const host = bare(options.hostname)
      // The system looks up no address that is written in numbers, so it is checked here.
      if (isIP(host) !== 0 && !isPublicAddress(host)) done(new AddressNotPublicError('The address is not public.'), null)
      else connect(options, done)
    },
  })
}
