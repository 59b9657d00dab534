import { expect, it } from 'vitest'
import { startSimulator } from '../../test/start-simulator.ts'
import { adapters } from './adapters.ts'
import { type Conforming, describeConformance } from './conformance.ts'

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
]

for (const subject of subjects) {
  const adapter = adapters[subject.name]
  if (!adapter) throw new Error(`there is no adapter ${subject.name}`)
  describeConformance({ ...subject, adapter }, (callbackBaseUrl) => startSimulator({ callbackBaseUrl, timeScale: 0.1 }))
}

/** Registries of numbers fulfil no orders. */
const withoutOrders = new Set(['registration'])

it('runs over every adapter there is', () => {
  const fulfilling = Object.keys(adapters).filter((name) => !withoutOrders.has(name))
  expect(subjects.map(({ name }) => name).toSorted()).toEqual(fulfilling.toSorted())
})
