import { type Insertable, sql } from 'kysely'
import { type Chain, positionOfRow } from '../../platform/chains/chain.ts'
import { type RecordedHead, readPresentHeads } from '../../platform/chains/recorded-heads.ts'
import type { Db, Tables } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/database/first-id-at.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { hashSecret, hashSecretWithEachKey } from '../../platform/secrets/seal-secret.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'

/** The record of a run of the audit that found no broken rule. */
export type AuditProof = {
  readonly provenAt: Date
  /** When the last run began that looked at everything. */
  readonly everythingAt: Date
  /**
   * The newest block of each chain when the run began. The audit has checked every row of a chain up to the end of its block.
   */
  readonly blocks: readonly RecordedHead[]
  /** The first position in each chain that may have rows after that chain's block. */
  readonly positions: ReadonlyMap<string, number>
}

type NewProof = Omit<AuditProof, 'positions'>

/** Sources from which the audit learns which old orders, or other old causes of transfers, were changed since the proof. */
export type ChangedIds = {
  /** Chains whose key begins with the id. */
  readonly chains: readonly Chain[]
  /** Tables whose rows end at a moment. We assume that this is at most 30 days after they were made. */
  readonly tables: readonly { readonly name: string; readonly endedAt: string }[]
}

/**
 * Stores what audits have proven, so that the next one begins there. Each row has a keyed hash. If somebody changes a row
 * without the secrets key, the row no longer counts, and the audit checks everything again.
 */
export type ProofBook = {
  /** @returns no proof while nothing is proven; `isAltered` when a block was changed after it was proven */
  read(): Promise<{ readonly proof?: AuditProof; readonly isAltered: boolean }>
  /** Reads the newest blocks, for a proof that begins now. Undefined while a chain has none. */
  readBlocks(): Promise<readonly RecordedHead[] | undefined>
  /** @param earlier the proof that the run rests on: if it has been withdrawn or replaced meanwhile, nothing is written */
  write(proof: NewProof, earlier?: AuditProof): Promise<void>
  withdraw(): Promise<void>
  /** The ids below `before` of orders, and of other causes of transfers, that may have changed since the proof. */
  listChangedIds(proof: AuditProof, before: string): Promise<string[]>
  /** Stores these checkpoints in place of the wallets' earlier ones. */
  writeCheckpoints(proven: readonly Checkpoint[]): Promise<void>
  isGenuine(checkpoint: Checkpoint, keyedHash: Buffer): boolean
}

/** The state of a wallet at one of its entries. */
export type Checkpoint = {
  readonly accountId: string
  readonly purse: string
  readonly entryNo: number
  readonly balance: number
}

const proofColumn = { table: 'audit_proof', column: 'keyed_hash' }
const checkpointColumn = { table: 'wallet_checkpoints', column: 'keyed_hash' }

const textOf = ({ accountId, purse, entryNo, balance }: Checkpoint) => JSON.stringify([accountId, purse, entryNo, balance])

const hourMilliseconds = 3_600_000

/** The audit expects a row to end within this time after it was made. It misses the end of a row that takes longer. */
const endsWithinMilliseconds = 30 * 24 * hourMilliseconds

/** A row has the time at which its transaction began. We assume that the transaction commits within this time. */
const commitMilliseconds = hourMilliseconds

/** Finds where the proven blocks end. Undefined when a block is missing or has another hash. */
async function findPositions(db: Db, blocks: readonly RecordedHead[]): Promise<ReadonlyMap<string, number> | undefined> {
  const { rows } = await sql<{ chain: string; position: number }>`
    select block.chain, block.through_position + (through_key is null)::integer as position
    from chain_blocks as block
    join ${rowsOf(blocks, {
      chain: ['text', ({ chain }) => chain],
      block_no: ['bigint', ({ blockNo }) => blockNo],
      hash: ['text', ({ hash }) => hash],
    }).as('proven')} using (chain, block_no, hash)`.execute(db)
  return rows.length === blocks.length ? new Map(rows.map(({ chain, position }) => [chain, position])) : undefined
}

async function listChangedIds(
  db: Db,
  { changed, proof, before }: { changed: ChangedIds; proof: AuditProof; before: string },
): Promise<string[]> {
  const { provenAt, positions } = proof
  const ofChains = changed.chains.map(({ name, table, key: [id] }) => {
    const column = sql.ref(id?.column ?? '')
    return sql`select ${column} as id from ${table} where ${positionOfRow} >= ${positions.get(name) ?? 0} and ${column} < ${before}`
  })
  const ofTables = changed.tables.map(
    ({ name, endedAt }) => sql`
      select id from ${sql.table(name)}
      where id >= ${firstIdAt(provenAt.getTime() - endsWithinMilliseconds)} and id < ${before}
        and ${sql.ref(endedAt)} >= ${new Date(provenAt.getTime() - commitMilliseconds)}`,
  )
  const { rows } = await sql<{ id: string }>`
    select distinct id from (${sql.join([...ofChains, ...ofTables], sql` union all `)}) as late order by id`.execute(db)
  return rows.map(({ id }) => id)
}

type ProofRow = Insertable<Tables['audit_proof']>

async function storeProof(db: Db, row: ProofRow): Promise<void> {
  await db
    .insertInto('audit_proof')
    .values(row)
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet(row))
    .execute()
}

async function replaceProof(db: Db, row: ProofRow, { provenAt }: AuditProof): Promise<void> {
  await db.updateTable('audit_proof').set(row).where('proven_at', '=', provenAt).execute()
}

/** @param rules the names of all rules: a proof does not cover a rule that was added after it */
export function openProofBook(
  db: Db,
  { secretsKeys, rules, changed }: { secretsKeys: SecretsKeys; rules: readonly string[]; changed: ChangedIds },
): ProofBook {
  const isHashOf = (text: string, column: typeof proofColumn, keyedHash: Buffer) =>
    hashSecretWithEachKey(secretsKeys, text, column).some((hash) => hash.equals(keyedHash))
  const proofText = ({ provenAt, everythingAt, blocks }: NewProof) =>
    JSON.stringify([
      rules,
      provenAt.toISOString(),
      everythingAt.toISOString(),
      blocks.map(({ chain, blockNo, hash }) => [chain, blockNo, hash]),
    ])

  return {
    async read() {
      const row = await db.selectFrom('audit_proof').selectAll().executeTakeFirst()
      if (!row) return { isAltered: false }
      const proof = { provenAt: row.proven_at, everythingAt: row.everything_at, blocks: row.blocks }
      if (!isHashOf(proofText(proof), proofColumn, row.keyed_hash)) return { isAltered: false }
      const positions = await findPositions(db, row.blocks)
      return positions ? { proof: { ...proof, positions }, isAltered: false } : { isAltered: true }
    },

    async readBlocks() {
      const heads = await readPresentHeads(db)
      const blocks = heads.filter(({ chain }) => changed.chains.some(({ name }) => name === chain))
      return blocks.length === changed.chains.length ? blocks : undefined
    },

    async write(proof, earlier) {
      const row = {
        proven_at: proof.provenAt,
        everything_at: proof.everythingAt,
        blocks: JSON.stringify(proof.blocks),
        keyed_hash: hashSecret(secretsKeys, proofText(proof), proofColumn),
      }
      await (earlier ? replaceProof(db, row, earlier) : storeProof(db, row))
    },

    async withdraw() {
      await db.deleteFrom('audit_proof').execute()
    },

    listChangedIds: (proof, before) => listChangedIds(db, { changed, proof, before }),

    async writeCheckpoints(proven) {
      if (proven.length === 0) return
      await sql`
        insert into wallet_checkpoints ${rowsOf(proven, {
          account_id: ['uuid', ({ accountId }) => accountId],
          purse: ['text', ({ purse }) => purse],
          entry_no: ['bigint', ({ entryNo }) => entryNo],
          balance: ['bigint', ({ balance }) => balance],
          keyed_hash: ['bytea', (checkpoint) => hashSecret(secretsKeys, textOf(checkpoint), checkpointColumn)],
        }).forInsert()}
        on conflict (account_id, purse) do update
        set entry_no = excluded.entry_no, balance = excluded.balance, keyed_hash = excluded.keyed_hash, proven_at = now()`.execute(
        db,
      )
    },

    isGenuine: (checkpoint, keyedHash) => isHashOf(textOf(checkpoint), checkpointColumn, keyedHash),
  }
}
