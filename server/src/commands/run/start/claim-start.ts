import pg from 'pg'

/** Any fixed number; the one `makola start` of an embedded database holds this advisory lock. */
const startLock = 715_517_002

/**
 * Makes sure that only one `makola start` runs on an embedded database. The claim ends with its connection, so a killed
 * process leaves none.
 * @returns a function that ends the claim, or undefined when another process holds it
 */
export async function claimStart(url: string): Promise<(() => Promise<void>) | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: 'makola start' })
  // When the server restarts, the claim is lost. A second start is then still stopped by the taken port.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [startLock])
  const release = () => client.end().catch(() => undefined)
  if (rows[0]?.is_ours === true) return release
  await release()
  return undefined
}
