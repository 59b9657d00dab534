import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'

/** The address is private, of this machine, or of another kind that is not on the public internet. */
export class AddressNotPublicError extends Error {
  override readonly name = 'AddressNotPublicError'
  readonly code = 'ADDRESS_NOT_PUBLIC'
}

/**
 * True for an IP address of the public internet. Private, local, shared, multicast and reserved addresses are not, nor are IPv6
 * addresses that stand for an IPv4 address and could hide one of these. An IPv4 address written as IPv6 counts as itself.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/** Removes the brackets that a URL has around an IPv6 address. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')

type Address = { readonly address: string; readonly family: 4 | 6 }

/**
 * Resolves a name. It asks name servers over the network itself, because `dns.lookup` holds one of the process's four threads
 * until the name server answers, and a hostile one never does.
 * @throws AddressNotPublicError when it is a local name, or when one of its addresses is not public
 */
async function resolvePublic(resolver: Resolver, hostname: string): Promise<Address[]> {
  if (/(^|\.)localhost\.?$/i.test(hostname)) throw new AddressNotPublicError('The name is one of this machine.')
  const asked = await Promise.allSettled([
    resolver.resolve4(hostname).then((list) => list.map((address) => ({ address, family: 4 }) as const)),
    resolver.resolve6(hostname).then((list) => list.map((address) => ({ address, family: 6 }) as const)),
  ])
  const addresses = asked.flatMap<Address>((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const [failed] = asked.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
  if (addresses.length === 0 && failed) throw failed
  if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))) {
    throw new AddressNotPublicError('The name has an address that is not public.')
  }
  return addresses
}

/**
 * Connects only to addresses that were checked, so a name that changes its address after the check cannot lead to a private
 * one.
 */
function lookUpWith(resolver: Resolver): LookupFunction {
  const resolve = callbackify(resolvePublic)
  return (hostname, options, done) => {
    resolve(resolver, hostname, (error: NodeJS.ErrnoException | null, addresses) => {
      if (error || options.all) done(error, addresses)
      else done(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  }
}

/**
 * Opens an agent that connects to addresses of the public internet alone. For requests to addresses that somebody outside has
 * given. It follows no redirects. The caller closes it.
 * @param nameServers as `address:port`; those of the system if left out
 */
export function openPublicAgent(nameServers?: readonly string[]): Agent {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  const connect = buildConnector({ lookup: lookUpWith(resolver), timeout: 5_000 })
  return new Agent({
    connect: (options, done) => {
      const host = bare(options.hostname)
      // Nothing is looked up for an address that is written in numbers, so it is checked here.
      if (isIP(host) !== 0 && !isPublicAddress(host)) done(new AddressNotPublicError('The address is not public.'), null)
      else connect(options, done)
    },
  })
}
