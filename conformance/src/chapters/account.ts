import { dataOf, must } from '../answers.ts'
import { type Chapter, check } from '../check.ts'
import { amount, moment, objectWith, oneOf, orNull, text, trueOrFalse, whole } from '../shapes.ts'

export const account: Chapter = {
  name: 'Account and wallet',
  checks: [
    check('Account role', 'The role has role, is_active, is_permanent, expires_at and days_remaining.', async (api) => {
      const shape = objectWith({
        role: text,
        is_active: trueOrFalse,
        is_permanent: trueOrFalse,
        expires_at: orNull(moment),
        days_remaining: orNull(whole),
      })
      dataOf(await api.ask('GET', '/account/role'), shape)
    }),
    check('Account role, is_permanent', 'A permanent role has no moment at which it expires.', async (api) => {
      const { is_permanent: isPermanent, expires_at: expiresAt } = dataOf(await api.ask('GET', '/account/role'))
      must(!isPermanent || expiresAt === null, `is_permanent is true, and expires_at is ${expiresAt}`)
    }),
    check('GET /wallet/balance', 'The balance is a number in GHS.', async (api) => {
      dataOf(await api.ask('GET', '/wallet/balance'), objectWith({ balance: amount, currency: oneOf('GHS') }))
    }),
  ],
}
