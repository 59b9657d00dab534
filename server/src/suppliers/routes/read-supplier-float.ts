import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { evidenceOf } from '../calling/evidence.ts'
import type { FloatAnswer, Supplier } from '../ports.ts'

const readSecondsMax = 10

/** At most one read of a supplier's float within this time is stored for good. */
const keptEveryMinutes = 15

/** Reads that have not ended yet. A supplier that refuses many orders at the same moment is thus read only once. */
const underWay = new WeakMap<Supplier, Promise<FloatAnswer>>()

async function readNow(db: Db, supplier: Supplier): Promise<FloatAnswer> {
  const float = await supplier
    .readFloat(AbortSignal.timeout(readSecondsMax * 1_000))
    .catch((error: unknown): FloatAnswer => ({ meaning: 'unknown', evidence: evidenceOf(String(error)) }))
  if (float.meaning === 'read') {
    await sql`
      with kept as (
        insert into supplier_float_reads (supplier, float_pesewas)
        select ${supplier.name}, ${float.floatPesewas}
        where not exists (select from supplier_float_reads where supplier = ${supplier.name}
          and read_at > clock_timestamp() - make_interval(mins => ${keptEveryMinutes}))
      )
      update suppliers set float_pesewas = ${float.floatPesewas}, float_read_at = clock_timestamp()
      where name = ${supplier.name}`.execute(db)
  }
  return float
}

/** Reads our float at a supplier and stores it for the operator. Concurrent calls in one process share one read. */
export function readSupplierFloat(db: Db, supplier: Supplier): Promise<FloatAnswer> {
  const current = underWay.get(supplier)
  if (current) return current
  const reading = readNow(db, supplier).finally(() => underWay.delete(supplier))
  underWay.set(supplier, reading)
  return reading
}
