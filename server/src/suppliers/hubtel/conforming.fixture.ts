import type { Conforming } from '../every-adapter/adapter-trial.fixture.ts'

/** Facts about this adapter for the tests that run over all adapters. */
export const conforming: Omit<Conforming, 'adapter' | 'name'> = {
  settings: { prepaidDepositId: 'simulated-prepaid', posSalesId: 'simulated-pos-sales' },
  networks: ['MTN', 'Telecel', 'AT-iShare'],
  packageCode: '1GB',
  lookUpSays: { never_received: 'unknown', failed: 'unfulfilled' },
  suspectsFloat: true,
  asksBeforeBuying: true,
}
