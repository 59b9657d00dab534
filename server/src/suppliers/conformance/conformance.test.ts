import { expect, it } from 'vitest'
import { startSimulator } from '../../../test/start-simulator.ts'
import { adapters } from '../adapters.ts'
import type { Conforming } from './adapter-trial.fixture.ts'
import { describeConformance } from './conformance.fixture.ts'

/** One row per adapter. */
const subjects: readonly Omit<Conforming, 'adapter'>[] = [
  {
    name: 'datamart',
    settings: { networks: { 'AT-BigTime': 'AT_BIGTIME' } },
    networks: ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime'],
    packageCode: '1',
  },
  {
    name: 'datakazina',
    settings: {},
    networks: ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime'],
    packageCode: '1000',
    statusByTheirCode: { '901': null, '904': 'failed', '906': null },
  },
  {
    name: 'hubtel',
    settings: { prepaidDepositId: 'simulated-prepaid', posSalesId: 'simulated-pos-sales' },
    networks: ['MTN', 'Telecel', 'AT-iShare'],
    packageCode: '1GB',
    lookUpSays: { never_received: 'unknown', failed: 'unfulfilled' },
    suspectsFloat: true,
    asksBeforeBuying: true,
  },
]

for (const subject of subjects) {
  const adapter = adapters[subject.name]
  if (!adapter) throw new Error(`there is no adapter ${subject.name}`)
  describeConformance({ ...subject, adapter }, (callbackBaseUrl) => startSimulator({ callbackBaseUrl, timeScale: 0.1 }))
}

/** Registries of numbers fulfil no orders; SMS links have a conformance of their own. */
const withoutOrders = new Set(['registration', 'smpp'])

it('runs over every adapter there is', () => {
  const fulfilling = Object.keys(adapters).filter((name) => !withoutOrders.has(name))
  expect(subjects.map(({ name }) => name).toSorted()).toEqual(fulfilling.toSorted())
})
