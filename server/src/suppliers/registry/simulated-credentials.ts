import type { SupplierCredentials } from './supplier-credentials.ts'

/** What the simulator takes from us, by adapter. No secrets: they open nothing but a stand-in on this machine. */
export const simulatedCredentials: Readonly<Record<string, SupplierCredentials>> = {
  datamart: { apiKey: 'simulated-datamart-key', webhookSecret: 'simulated-datamart-secret' },
  datakazina: { apiKey: 'simulated-datakazina-key' },
  hubtel: { apiId: 'simulated-hubtel-id', apiKey: 'simulated-hubtel-key' },
  registration: { apiKey: 'simulated-registration-key' },
  smpp: { systemId: 'simulated', password: 'smpp' },
}
