import { AsyncLocalStorage } from 'node:async_hooks'

const addresses = new AsyncLocalStorage<string>()

/**
 * Runs work for a person at an address of the network. Every line of the operator's log that the work writes has the address.
 * The address is no parameter, because the functions in between also serve the command line, which has none.
 *
 * @param address an IP address of the request
 */
export function actFrom<T>(address: string, work: () => T): T {
  return addresses.run(address, work)
}

/** The address of the person for whom this code runs; undefined on the command line and in a worker. */
export function actingAddress(): string | undefined {
  return addresses.getStore()
}
