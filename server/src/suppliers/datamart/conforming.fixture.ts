import type { Conforming } from '../conformance/adapter-trial.fixture.ts'

/** What the suite over all adapters has to know about this one. */
export const conforming: Omit<Conforming, 'adapter' | 'name'> = {
  settings: { networks: { 'AT-BigTime': 'AT_BIGTIME' } },
  networks: ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime'],
  packageCode: '1',
}
