import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import { raiseCatalogueVersion } from '../platform/database/epoch.ts'

/** The lowest number is asked first; room before and after for suppliers that an operator adds. */
const firstPriority = 10

/**
 * DataMart's public documents name one word for AT. `AT_BIGTIME` is an assumption of ours that the simulator shares,
 * so that all four networks can be tried; an operator checks it with DataMart before selling AT-BigTime live.
 */
const datamartSettings = { networks: { 'AT-BigTime': 'AT_BIGTIME' } }

const dataNetworks = ['MTN', 'Telecel', 'AT-iShare', 'AT-BigTime']

/** The two registries of numbers share the simulator's address and are told apart by their path. */
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
 * Adds the suppliers that the simulator plays, with a route for each network. Leaves alone what is there. Their
 * address and credentials come from the process (SUPPLIERS=simulator), so the rows hold none.
 */
export async function seedSimulatedSuppliers(tx: Tx): Promise<void> {
  await tx
    .insertInto('suppliers')
    .values({ name: 'datamart', adapter: 'datamart', settings: JSON.stringify(datamartSettings), slots: 64 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  await sql`
    insert into routes (supplier, product, network, priority)
    select 'datamart', 'data', network, ${firstPriority} from unnest(${dataNetworks}::text[]) as network
    on conflict (supplier, product, network) do nothing`.execute(tx)
  await seedRegistrationServers(tx)
  await raiseCatalogueVersion(tx)
}
