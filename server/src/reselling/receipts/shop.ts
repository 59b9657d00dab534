import { readPhoneNumber } from '../../networks/read-phone-number.ts'
import type { Db } from '../../platform/database/database.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import { resellingRefusals } from '../reselling.refusals.ts'

export const logoBytesMax = 131_072

/** How a reseller shows itself to its customers. */
export type OwnShop = { readonly name: string; readonly phone: string | null; readonly hasLogo: boolean }

/** Reads an account's shop. One that was never set up has the account's name. */
export async function readShop(db: Db, accountId: string): Promise<OwnShop> {
  const row = await db
    .selectFrom('accounts')
    .leftJoin('shops', 'shops.account_id', 'accounts.id')
    .select(['accounts.name as accountName', 'shops.name', 'shops.phone', 'shops.logo_type'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirstOrThrow()
  return { name: row.name ?? row.accountName, phone: row.phone, hasLogo: row.logo_type !== null }
}

/** @throws RefusalError when the phone is no number of Ghana */
export async function saveShop(
  db: Db,
  accountId: string,
  { name, phone }: { readonly name: string; readonly phone: string },
): Promise<void> {
  const number = phone.trim() === '' ? null : readPhoneNumber(phone)
  if (number === undefined) throw new RefusalError(resellingRefusals.badNumber(phone))
  const values = { name: name.trim(), phone: number }
  await db
    .insertInto('shops')
    .values({ account_id: accountId, ...values, logo: null, logo_type: null })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
}

const pngBegins = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpegBegins = Buffer.from([0xff, 0xd8, 0xff])

function logoTypeOf(bytes: Buffer): 'image/png' | 'image/jpeg' | undefined {
  if (bytes.length > logoBytesMax) return undefined
  if (bytes.subarray(0, pngBegins.length).equals(pngBegins)) return 'image/png'
  return bytes.subarray(0, jpegBegins.length).equals(jpegBegins) ? 'image/jpeg' : undefined
}

/** Stores the logo, in place of an earlier one. @throws RefusalError when the bytes are no PNG or JPEG picture, or too many */
export async function saveLogo(db: Db, accountId: string, bytes: Buffer): Promise<void> {
  const logoType = logoTypeOf(bytes)
  if (!logoType) throw new RefusalError(resellingRefusals.logoUnreadable)
  const { name } = await readShop(db, accountId)
  const logo = { logo: bytes, logo_type: logoType }
  await db
    .insertInto('shops')
    .values({ account_id: accountId, name, phone: null, ...logo })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(logo))
    .execute()
}

export async function removeLogo(db: Db, accountId: string): Promise<void> {
  await db.updateTable('shops').set({ logo: null, logo_type: null }).where('account_id', '=', accountId).execute()
}

/** @throws RefusalError when the account's shop has no logo */
export async function readLogo(db: Db, accountId: string) {
  const row = await db.selectFrom('shops').select(['logo', 'logo_type']).where('account_id', '=', accountId).executeTakeFirst()
  if (!row?.logo || row.logo_type === null) throw new RefusalError(resellingRefusals.noLogo)
  return { bytes: row.logo, mediaType: row.logo_type }
}
