import type { Conforming } from '../conformance/adapter-trial.fixture.ts'

/** What the suite over all adapters has to know about this one. */
export const conforming: Omit<Conforming, 'adapter' | 'name'> = {
  settings: {},
  networks: ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime'],
  packageCode: '1000',
  statusByTheirCode: { '901': null, '904': 'failed', '906': null },
}
