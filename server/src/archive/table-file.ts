import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'

/** A column of a table, with its type as PostgreSQL writes it. */
export type Column = { readonly name: string; readonly type: string }

/** The values of a row in the order of the columns, each as PostgreSQL writes it as text, moments in UTC. */
export type TextRow = readonly (string | null)[]

export type FileFacts = { readonly rows: number; readonly bytes: number; readonly sha256: string }

const unfinished = (path: string) => `${path}.unfinished`

const isInteger = ({ type }: Column) => ['smallint', 'integer', 'bigint'].includes(type)

/** Whole numbers are INT64 in the file, everything else is text: so a value comes back exactly as it was. */
function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: 'row', num_children: columns.length },
    ...columns.map(
      (column): SchemaElement => ({
        name: column.name,
        repetition_type: 'OPTIONAL',
        ...(isInteger(column) ? { type: 'INT64' } : { type: 'BYTE_ARRAY', converted_type: 'UTF8' }),
      }),
    ),
  ]
}

function dataOf(columns: readonly Column[], rows: readonly TextRow[]) {
  return columns.map((column, index) => ({
    name: column.name,
    data: rows.map((row) => {
      const value = row[index] ?? null
      return value !== null && isInteger(column) ? BigInt(value) : value
    }),
  }))
}

/** Gives a written file its name. After a power cut it has this name only if it is whole. */
async function finish(handle: FileHandle, path: string): Promise<void> {
  await handle.sync()
  await handle.close()
  await rename(unfinished(path), path)
  const folder = await open(dirname(path))
  await folder.sync()
  await folder.close()
}

/** Writes a text file, or replaces it, as a whole. */
export async function writeTextFile(path: string, text: string): Promise<void> {
  const handle = await open(unfinished(path), 'w', 0o600)
  await handle.writeFile(text)
  await finish(handle, path)
}

/**
 * Writes rows as a Parquet file, a row group for each page, so that only one page is in memory. The file gets its name only
 * when it is complete, and then replaces an existing one.
 */
export async function writeTableFile(
  path: string,
  columns: readonly Column[],
  pages: AsyncIterable<readonly TextRow[]>,
): Promise<FileFacts> {
  const handle = await open(unfinished(path), 'w', 0o600)
  try {
    const hash = createHash('sha256')
    const bytes = new ByteWriter()
    const flush = async () => {
      const written = bytes.getBytes()
      hash.update(written)
      await handle.appendFile(written)
      bytes.index = 0
    }
    const parquet = new ParquetWriter({ writer: Object.assign(bytes, { flush }), schema: schemaOf(columns), createdBy: 'makola' })
    let rows = 0
    for await (const page of pages) {
      await parquet.write({ columnData: dataOf(columns, page), rowGroupSize: page.length })
      rows += page.length
    }
    await parquet.finish()
    await flush()
    await finish(handle, path)
    return { rows, bytes: bytes.offset, sha256: hash.digest('hex') }
  } finally {
    // Closed already where all went well; closing twice does nothing.
    await handle.close()
  }
}

/** Reads the rows of a file, a row group at a time. */
export async function* readTableFile(path: string, columns: readonly Column[]): AsyncGenerator<TextRow[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows)
    const rows = await parquetReadObjects({ file, metadata, rowStart, rowEnd })
    yield rows.map((row) => columns.map(({ name }) => (row[name] === null || row[name] === undefined ? null : String(row[name]))))
    rowStart = rowEnd
  }
}

/** The SHA-256 of a file, as `sha256sum` prints it. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
