/** True when numbers of the network must be registered before they can get bundles (contract, Verify-number endpoints, 1). */
export function needsRegistration(network: string): boolean {
  return network === 'MTN'
}
