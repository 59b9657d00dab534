import { useLocation } from 'wouter'
import { isPhone } from '../both/phones.ts'
import { repeatWord } from './buy/repeat-word.ts'
import { useMe } from './me.ts'
import { saveFields } from './use-saved-fields.ts'

/** The goods of an order, with which the form can be filled again. */
export type BoughtGoods = {
  readonly product: string
  readonly network: string | null
  readonly variety: string | null
  readonly recipient: string
  readonly price: number
}

/** The phone number of an order as a person types it: `233241234567` becomes `0241234567`. */
const localNumber = (recipient: string): string => recipient.replace(/^233(?=\d{9}$)/, '0')

/** True when the form can be filled with these goods. Of a number with `*` only a part is known, because it was forgotten. */
export const canBuyAgain = ({ product, network, variety, recipient }: BoughtGoods): boolean =>
  !recipient.includes('*') &&
  network !== null &&
  (product === 'airtime' || product === 'utilities' || (product === 'data' && /^[\d.]+GB$/.test(variety ?? '')))

/**
 * Returns a function that fills the form with goods of an earlier order and opens it. For data and airtime, the confirmation
 * dialog opens too, so that the next tap pays; it says so if the same was bought within the hour. A bill's account is looked up
 * first, because the amount due has changed.
 */
export function useBuyAgain(): (goods: BoughtGoods) => void {
  const { person_id: personId } = useMe().person
  const [, navigate] = useLocation()
  return ({ product, network, variety, recipient, price }) => {
    if (product === 'utilities') {
      const phone = isPhone(recipient) ? recipient : ''
      saveFields(personId, 'buy.bills', { biller: network, account: recipient, phone, found: undefined })
      navigate('/buy/bills')
      return
    }
    saveFields(personId, `lines.${product}`, { text: `${localNumber(recipient)}, ${repeatWord}` })
    const fields = product === 'data' ? { network, volume: Number.parseFloat(variety ?? '') } : { amount: String(price) }
    saveFields(personId, `buy.${product}`, fields)
    navigate(product === 'data' ? '/buy?ask=1' : `/buy/${product}?ask=1`)
  }
}
