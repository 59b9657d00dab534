import pg from 'pg'

/** Any fixed number: the advisory lock that a running `makola start` holds. */
const startLock = 715_517_002

/**
 * Lets only one `makola start` run on an embedded database. The claim ends with its connection, so a killed process leaves none.
 * @returns a function that ends the claim, or undefined when another process holds it
 */
export async function claimStart(url: string): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'makola start' })
  // A restart of the server ends the claim. A second start then still fails, because the port is taken.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [startLock])
  const release = () => client.end().catch(() => undefined)
  if (rows[0]?.is_ours === true) return release
  await release()
  return undefined
}
