import type { Conforming } from '../every-adapter/adapter-trial.fixture.ts'

/** Facts about this adapter for the tests that run over all adapters. */
export const conforming: Omit<Conforming, 'adapter' | 'name'> = {
  settings: { networks: { 'AT-BigTime': 'AT_BIGTIME' } },
  networks: ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime'],
  packageCode: '1',
}
