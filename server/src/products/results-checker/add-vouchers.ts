import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import { rowsOf } from '../../platform/database/rows-of.ts'
import { mapInPieces } from '../../platform/in-pieces.ts'
import type { SecretsKeys } from '../../platform/secrets/secrets-keys.ts'
import type { VoucherFileProblem } from './read-voucher-file.ts'
import { hashVoucher, sealVoucher, type VoucherSecrets } from './seal-voucher.ts'

export type NewVoucher = VoucherSecrets & { readonly id: string; readonly line: number }

type Hashes = ReturnType<typeof hashVoucher>
type KnownRow = { pin_hash: string; serial_number_hash: string }

/** Lists the rows of this type that share a PIN or a serial number with one of the vouchers, hashed with any key. */
async function listKnownRows(tx: Tx, typeId: string, hashes: readonly Hashes[]): Promise<KnownRow[]> {
  const pins = hashes.flatMap((hash) => hash.pins)
  const serialNumbers = hashes.flatMap((hash) => hash.serialNumbers)
  // Two statements, each with its own index. One statement with `or` would read the whole stock.
  const { rows } = await sql<KnownRow>`
    select encode(pin_hash, 'hex') as pin_hash, encode(serial_number_hash, 'hex') as serial_number_hash from vouchers
    where type_id = ${typeId} and pin_hash in (select decode(hash, 'hex') from unnest(${pins}::text[]) as hash)
    union
    select encode(pin_hash, 'hex'), encode(serial_number_hash, 'hex') from vouchers
    where type_id = ${typeId}
      and serial_number_hash in (select decode(hash, 'hex') from unnest(${serialNumbers}::text[]) as hash)`.execute(tx)
  return rows
}

/** Lists the rows of every other type that share a PIN with one of the vouchers, hashed with any key. */
async function listRowsOfOtherTypes(tx: Tx, typeId: string, hashes: readonly Hashes[]): Promise<KnownRow[]> {
  const pins = hashes.flatMap((hash) => hash.pins)
  // The types are searched one after the other, because the index of the hashes begins with the type.
  const { rows } = await sql<KnownRow>`
    select encode(found.pin_hash, 'hex') as pin_hash, encode(found.serial_number_hash, 'hex') as serial_number_hash
    from voucher_types
    cross join unnest(${pins}::text[]) as wanted (pin_hash)
    cross join lateral (
      select pin_hash, serial_number_hash from vouchers
      where vouchers.type_id = voucher_types.id and vouchers.pin_hash = decode(wanted.pin_hash, 'hex')
      limit 1
    ) as found
    where voucher_types.id <> ${typeId}`.execute(tx)
  return rows
}

type HashedVoucher = { readonly voucher: NewVoucher; readonly hashes: Hashes }

async function insert(tx: Tx, keys: SecretsKeys, typeId: string, hashed: readonly HashedVoucher[]): Promise<Set<string>> {
  const sealed = await mapInPieces(hashed, ({ voucher, hashes }) => ({
    id: voucher.id,
    secrets: sealVoucher(keys, voucher.id, voucher),
    hashes,
  }))
  const { rows } = await sql<{ id: string }>`
    insert into vouchers (id, type_id, pin, pin_hash, serial_number, serial_number_hash)
    select id, ${typeId}, pin, decode(pin_hash, 'hex'), serial_number, decode(serial_number_hash, 'hex')
    from ${rowsOf(sealed, {
      id: ['uuid', ({ id }) => id],
      pin: ['text', ({ secrets }) => secrets.pin],
      pin_hash: ['text', ({ hashes }) => hashes.pins[0] ?? null],
      serial_number: ['text', ({ secrets }) => secrets.serialNumber],
      serial_number_hash: ['text', ({ hashes }) => hashes.serialNumbers[0] ?? null],
    }).as('sealed')}
    on conflict do nothing
    returning id`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

/** Serial numbers of each known PIN, all as hashes. */
type KnownVouchers = Map<string, string[]>

function indexByPin(rows: readonly KnownRow[]): KnownVouchers {
  const groups = Map.groupBy(rows, (row) => row.pin_hash)
  return new Map([...groups].map(([pin, same]) => [pin, same.map((row) => row.serial_number_hash)]))
}

/** True when a row with the same PIN also has the same serial number. */
function isKnown({ pins, serialNumbers }: Hashes, known: KnownVouchers): boolean {
  return pins.flatMap((pin) => known.get(pin) ?? []).some((partner) => serialNumbers.includes(partner))
}

/**
 * A voucher that is stored already is no problem. One that shares only its PIN or only its serial number with another shows
 * that the file is wrong.
 */
function problemOf(voucher: NewVoucher, hashes: Hashes, known: KnownVouchers): VoucherFileProblem | undefined {
  if (isKnown(hashes, known)) return undefined
  const message = hashes.pins.some((pin) => known.has(pin))
    ? 'its PIN is known already with another serial number'
    : 'its serial number is known already with another PIN'
  return { line: voucher.line, message }
}

/** A voucher in the stock of two types would be sold twice. */
async function listVouchersOfOtherTypes(tx: Tx, typeId: string, added: readonly HashedVoucher[]): Promise<VoucherFileProblem[]> {
  if (added.length === 0) return []
  const rows = await listRowsOfOtherTypes(
    tx,
    typeId,
    added.map(({ hashes }) => hashes),
  )
  const known = indexByPin(rows)
  const message = 'is known already as a voucher of another type'
  return added.flatMap(({ voucher, hashes }) => (isKnown(hashes, known) ? { line: voucher.line, message } : []))
}

/**
 * Adds vouchers to the stock of a type; the caller updates its count. Skips a voucher whose keyed hashes are in the stock or
 * earlier in this batch. Comparing hashes needs no unsealing. The caller must roll back when problems are returned.
 */
export async function addVouchers(
  tx: Tx,
  keys: SecretsKeys,
  typeId: string,
  vouchers: readonly NewVoucher[],
): Promise<{ added: number; known: number; knownLines: number[]; problems: VoucherFileProblem[] }> {
  const hashed = await mapInPieces(vouchers, (voucher) => ({ voucher, hashes: hashVoucher(keys, voucher) }))
  const knownOf = (some: readonly HashedVoucher[]) =>
    listKnownRows(
      tx,
      typeId,
      some.map(({ hashes }) => hashes),
    )
  // The unique constraints compare only hashes of the current key, so hashes of older keys are looked up first.
  const older = keys.byId.size > 1 ? await knownOf(hashed) : []
  const olderHashes = new Set(older.flatMap((row) => [row.pin_hash, row.serial_number_hash]))
  const isNew = ({ hashes }: HashedVoucher) => ![...hashes.pins, ...hashes.serialNumbers].some((hash) => olderHashes.has(hash))
  const inserted = await insert(tx, keys, typeId, hashed.filter(isNew))
  const { added = [], left = [] } = Object.groupBy(hashed, ({ voucher }) => (inserted.has(voucher.id) ? 'added' : 'left'))
  const known = indexByPin(left.length === 0 ? [] : await knownOf(left))
  const halves = left.flatMap(({ voucher, hashes }) => problemOf(voucher, hashes, known) ?? [])
  const problems = [...halves, ...(await listVouchersOfOtherTypes(tx, typeId, added))]
  const isHalf = new Set(halves.map(({ line }) => line))
  const knownLines = left.map(({ voucher }) => voucher.line).filter((line) => !isHalf.has(line))
  return { added: added.length, known: knownLines.length, knownLines, problems }
}
