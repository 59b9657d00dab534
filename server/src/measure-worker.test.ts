import { expect, test } from 'vitest'
import { makeAccount } from '../test/make-account.ts'
import { createTestDatabase } from '../test/test-database.ts'
import { measureAlarms, measureSuppliers, measureWallets } from './database-metrics.ts'
import { raiseAlarms } from './notices/raise-alarm.ts'
import { measureIntake } from './orders/intake/observe-intake.ts'
import { placeTestOrders } from './orders/intake/place-test-orders.fixture.ts'
import { measureOpenOrders } from './orders/queries/measure-open-orders.ts'
import { inTransaction } from './platform/database/in-transaction.ts'
import { openMetrics } from './platform/metrics/open-metrics.ts'
import { seedSimulatedSuppliers } from './suppliers/registry/seed-simulated-suppliers.ts'

test('tells the open orders by state, the age of the oldest, the wallets, the routes and the alarms as they are', async () => {
  const database = await createTestDatabase()
  try {
    const { db } = database
    await inTransaction(db, (tx) => seedSimulatedSuppliers(tx))
    const { accountId } = await makeAccount(db, { balancePesewas: 10_000 })
    await placeTestOrders(db, accountId, ['0241234567', '0241234568'], {
      supplier: 'datamart',
      pricePesewas: 520,
      details: { network: 'MTN', size: '1GB' },
    })
    await raiseAlarms(db, [{ name: 'contradiction', subject: 'x', message: 'x' }])
    const metrics = openMetrics('worker')
    const looks = [
      measureOpenOrders(metrics, db),
      measureWallets(metrics, db),
      measureSuppliers(metrics, db),
      measureAlarms(metrics, db),
    ]
    for (let round = 0; round < 2; round += 1) for (const look of looks) await look()
    const text = await metrics.read()
    expect(text).toContain('makola_open_orders{kind="data",status="pending",role="worker"} 2')
    expect(text).toMatch(/makola_open_order_age_seconds\{route="datamart\/data\/MTN",role="worker"\} [\d.]+/)
    expect(text).toMatch(/makola_wallets_balance_ghs\{purse="main",role="worker"\} (89\.6|100)/)
    expect(text).toContain('makola_route_open{route="datamart/data/MTN",role="worker"} 1')
    expect(text).toContain('makola_open_alarms{name="contradiction",role="worker"} 1')
  } finally {
    await database.drop()
  }
})

test('counts the orders of each batch of the intake', async () => {
  const metrics = openMetrics('api')
  const onBatch = measureIntake(metrics)
  onBatch(3, 0.004)
  onBatch(100, 0.02)
  const text = await metrics.read()
  expect(text).toContain('makola_intake_batch_orders_sum{role="api"} 103')
  expect(text).toContain('makola_intake_batch_orders_bucket{le="4",role="api"} 1')
})
