import type { Conforming } from '../conformance/adapter-trial.fixture.ts'

/** What the suite over all adapters has to know about this one. */
export const conforming: Omit<Conforming, 'adapter' | 'name'> = {
  settings: { prepaidDepositId: 'simulated-prepaid', posSalesId: 'simulated-pos-sales' },
  networks: ['MTN', 'Telecel', 'AT-iShare'],
  packageCode: '1GB',
  lookUpSays: { never_received: 'unknown', failed: 'unfulfilled' },
  suspectsFloat: true,
  asksBeforeBuying: true,
}
