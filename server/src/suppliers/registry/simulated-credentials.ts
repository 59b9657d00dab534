import type { SupplierCredentials } from './supplier-credentials.ts'

/** The credentials that the simulator accepts, by adapter. They are no secrets: they work only with the simulator. */
export const simulatedCredentials: Readonly<Record<string, SupplierCredentials>> = {
  datamart: { apiKey: 'simulated-datamart-key', webhookSecret: 'simulated-datamart-secret' },
  datakazina: { apiKey: 'simulated-datakazina-key' },
  hubtel: { apiId: 'simulated-hubtel-id', apiKey: 'simulated-hubtel-key' },
  registration: { apiKey: 'simulated-registration-key' },
  smpp: { systemId: 'simulated', password: 'smpp' },
}
