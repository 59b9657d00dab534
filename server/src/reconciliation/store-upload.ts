import { sql } from 'kysely'
import type { Db, Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { newId } from '../platform/database/new-id.ts'
import { StatementError } from './read-statement.ts'

/** Size of one part of a file, which is one request's body. */
export const uploadPartBytes = 512 * 1024

/**
 * The largest upload: some hundred thousand lines, which are compared within half a minute. The command line imports files
 * of any size.
 */
export const uploadBytesMax = 10 * 1024 * 1024

/** An unfinished upload is deleted after this time, when another one begins. */
const keptHours = 24

/** A statement file in parts that are still being sent. */
export type StatementUpload = {
  readonly id: string
  readonly supplier: string
  readonly fileName: string
  readonly size: number
}

const partsOf = ({ size }: Pick<StatementUpload, 'size'>) => Math.ceil(size / uploadPartBytes)

/**
 * Begins an upload.
 * @throws StatementError when it is too large, or its supplier is not known
 */
export function beginUpload(
  db: Db,
  { supplier, fileName, size, actor }: Omit<StatementUpload, 'id'> & { readonly actor: string },
): Promise<StatementUpload & { readonly parts: number }> {
  if (size > uploadBytesMax) {
    throw new StatementError(
      `A statement may have at most ${uploadBytesMax / 1024 / 1024} MB. Ask for it in parts: a file for each week, say.`,
    )
  }
  return inTransaction(db, async (tx) => {
    await sql`delete from statement_uploads where begun_at < clock_timestamp() - make_interval(hours => ${keptHours})`.execute(tx)
    const known = await tx.selectFrom('suppliers').select('name').where('name', '=', supplier).executeTakeFirst()
    if (!known) throw new StatementError(`There is no supplier ${JSON.stringify(supplier)}.`)
    const id = newId()
    await tx.insertInto('statement_uploads').values({ id, supplier, file_name: fileName, size, begun_by: actor }).execute()
    return { id, supplier, fileName, size, parts: partsOf({ size }) }
  })
}

/** Finds a person's upload; undefined when there is none, or it was imported or deleted. */
export async function findUpload(db: Db | Tx, id: string, actor: string): Promise<StatementUpload | undefined> {
  return db
    .selectFrom('statement_uploads')
    .select(['id', 'supplier', 'file_name as fileName', 'size'])
    .where('id', '=', id)
    .where('begun_by', '=', actor)
    .executeTakeFirst()
}

/**
 * Stores one part of a file. A part that is sent twice is stored once.
 * @throws StatementError when the part does not fit the file
 */
export async function storeUploadPart(db: Db, upload: StatementUpload, partNo: number, bytes: Buffer): Promise<void> {
  const parts = partsOf(upload)
  const expected = partNo < parts ? uploadPartBytes : upload.size - (parts - 1) * uploadPartBytes
  if (partNo > parts || bytes.length !== expected) {
    throw new StatementError('The file has changed while it was sent. Choose it again.')
  }
  await sql`
    insert into statement_upload_parts (upload_id, part_no, bytes) values (${upload.id}, ${partNo}, ${bytes})
    on conflict (upload_id, part_no) do update set bytes = excluded.bytes`.execute(db)
}

/**
 * Reads an upload as its parts, in order. Does not join them, because that would block the event loop.
 * @throws StatementError when a part is missing
 */
export async function readUpload(db: Db, upload: StatementUpload): Promise<Buffer[]> {
  const parts: Buffer[] = []
  for (let partNo = 1; partNo <= partsOf(upload); partNo += 1) {
    const part = await db
      .selectFrom('statement_upload_parts')
      .select('bytes')
      .where('upload_id', '=', upload.id)
      .where('part_no', '=', partNo)
      .executeTakeFirst()
    if (!part) throw new StatementError('A part of the file did not arrive. Send it again.')
    parts.push(part.bytes)
  }
  return parts
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('statement_uploads').where('id', '=', id).execute()
}
