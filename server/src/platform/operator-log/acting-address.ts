import { AsyncLocalStorage } from 'node:async_hooks'

const addresses = new AsyncLocalStorage<string>()

/**
 * Does work for a person who acts from an address of the network. Every line of the operator's log that the work writes
 * names the address. It is passed on unseen, because the functions between do the same for the command line, which has no
 * address.
 *
 * @param address an IP address, as the request has it
 */
export function actFrom<T>(address: string, work: () => T): T {
  return addresses.run(address, work)
}

/** The address from which the person acts in whose name this code runs; undefined on the command line and in a worker. */
export function actingAddress(): string | undefined {
  return addresses.getStore()
}
