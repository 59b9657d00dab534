/**
 * Whether numbers of a network must be registered before bundles are delivered to them (contract, Verify-number
 * endpoints, 1).
 */
export function needsRegistration(network: string): boolean {
  return network === 'MTN'
}
