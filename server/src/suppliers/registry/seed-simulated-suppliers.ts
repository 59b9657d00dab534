import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { raiseCatalogueVersion } from '../../platform/database/epoch.ts'

/** The lowest number is the first choice. The gaps leave room for an operator's own suppliers. */
const firstPriority = 10
const secondPriority = 20
const thirdPriority = 30

/**
 * DataMart's public documents name one word for AT. `AT_BIGTIME` is our assumption, shared with the simulator, so that all
 * four networks can be tried. An operator checks it with DataMart before selling AT-BigTime live.
 */
const datamartSettings = { networks: { 'AT-BigTime': 'AT_BIGTIME' } }

/** The suppliers of bundles, with their priority on each network. */
const dataSuppliers = [
  {
    name: 'datamart',
    settings: datamartSettings,
    priorities: { MTN: firstPriority, Telecel: firstPriority, 'AT-iShare': firstPriority, 'AT-BigTime': secondPriority },
  },
  {
    // Only DataKazina documents a number for AT-BigTime, so it comes first there.
    name: 'datakazina',
    settings: {},
    priorities: { MTN: secondPriority, Telecel: secondPriority, 'AT-iShare': secondPriority, 'AT-BigTime': firstPriority },
  },
]

async function seedDataSuppliers(tx: Tx): Promise<void> {
  await tx
    .insertInto('suppliers')
    .values(dataSuppliers.map(({ name, settings }) => ({ name, adapter: name, settings: JSON.stringify(settings), slots: 64 })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const routes = dataSuppliers.flatMap(({ name, priorities }) =>
    Object.entries(priorities).map(([network, priority]) => ({ supplier: name, product: 'data', network, priority })),
  )
  await tx
    .insertInto('routes')
    .values(routes)
    .onConflict((conflict) => conflict.columns(['supplier', 'product', 'network']).doNothing())
    .execute()
}

/**
 * Products and networks of Hubtel. For bundles it comes last, because each needs a query before the purchase. It is used
 * only when a price list has its codes (`code_hubtel`, such as `1GB`); the demo's has none.
 */
const hubtelProducts = [
  { product: 'airtime', networks: ['MTN', 'Telecel', 'AT'], priority: firstPriority },
  { product: 'utilities', networks: ['ecg', 'ghana_water', 'dstv', 'gotv', 'startimes'], priority: firstPriority },
  { product: 'data', networks: ['MTN', 'Telecel', 'AT-iShare'], priority: thirdPriority },
]

/** Ids of an account that only the simulator knows. */
const hubtelSettings = {
  prepaidDepositId: 'simulated-prepaid',
  posSalesId: 'simulated-pos-sales',
  email: 'bills@makola.test',
}

async function seedHubtel(tx: Tx): Promise<void> {
  await tx
    .insertInto('suppliers')
    .values({ name: 'hubtel', adapter: 'hubtel', settings: JSON.stringify(hubtelSettings), slots: 64 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  for (const { product, networks, priority } of hubtelProducts) {
    await sql`
      insert into routes (supplier, product, network, priority)
      select 'hubtel', ${product}, network, ${priority}::integer from unnest(${networks}::text[]) as network
      on conflict (supplier, product, network) do nothing`.execute(tx)
  }
}

/** One SMSC serves every network. */
const smsNetworks = ['MTN', 'Telecel', 'AT', 'any']

async function seedSmsc(tx: Tx): Promise<void> {
  await tx
    .insertInto('suppliers')
    // A little above the number of unanswered submits that aggregators usually allow on a link.
    .values({ name: 'smsc', adapter: 'smpp', settings: '{}', slots: 20 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await sql`
    insert into routes (supplier, product, network, priority)
    select 'smsc', 'sms', network, ${firstPriority} from unnest(${smsNetworks}::text[]) as network
    on conflict (supplier, product, network) do nothing`.execute(tx)
}

/** The two registries of numbers share the simulator's address; their paths differ. */
const registrationServers = [1, 2]

async function seedRegistrationServers(tx: Tx): Promise<void> {
  await tx
    .insertInto('suppliers')
    .values(
      registrationServers.map((server) => ({
        name: `registration-${server}`,
        adapter: 'registration',
        settings: JSON.stringify({ apiPath: `/${server}` }),
        slots: 64,
      })),
    )
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}

/**
 * Adds the simulator's suppliers and their routes; changes no existing row. The process gives them address and credentials
 * (SUPPLIERS=simulator), so the rows have none.
 */
export async function seedSimulatedSuppliers(tx: Tx): Promise<void> {
  await seedDataSuppliers(tx)
  await seedHubtel(tx)
  await seedRegistrationServers(tx)
  await seedSmsc(tx)
  await raiseCatalogueVersion(tx)
}
