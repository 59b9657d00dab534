import type { SupplierCredentials } from './supplier-credentials.ts'

/** Credentials that the simulator accepts, by adapter. They are not secret: they work only there. */
export const simulatedCredentials: Readonly<Record<string, SupplierCredentials>> = {
  datamart: { apiKey: 'simulated-datamart-key', webhookSecret: 'simulated-datamart-secret' },
  datakazina: { apiKey: 'simulated-datakazina-key' },
  hubtel: { apiId: 'simulated-hubtel-id', apiKey: 'simulated-hubtel-key' },
  registration: { apiKey: 'simulated-registration-key' },
  smpp: { systemId: 'simulated', password: 'smpp' },
}
