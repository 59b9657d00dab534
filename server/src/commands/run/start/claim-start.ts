import pg from 'pg'

/** Any fixed number; the one `makola start` of an embedded database holds this advisory lock. */
const startLock = 715_517_002

/**
 * Makes sure that only one `makola start` runs on an embedded database: two would start two of
 * everything in one DATA_DIR. The claim ends with its connection, so a killed process leaves none.
 *
 * @returns a function that gives the claim back, or undefined when somebody else holds it
 */
export async function claimStart(url: string): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'makola start' })
  // When the server restarts, the claim is gone; what runs twice then still meets a taken port.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [startLock])
  const release = () => client.end().catch(() => undefined)
  if (rows[0]?.is_ours === true) return release
  await release()
  return undefined
}
