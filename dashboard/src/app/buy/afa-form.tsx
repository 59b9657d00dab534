import { NativeSelect, TextInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { ApiRefusal, get, NoAnswer, post, type Schema } from '../../both/api/call-api.ts'
import { typed } from '../../both/form/typed.ts'
import { newReference } from '../../both/money/use-reference.ts'
import { cleanPhone, isPhone } from '../../both/phones.ts'
import type { StatedOrder } from '../orders/use-states.ts'
import { useKept } from '../use-kept.ts'
import { buyWords } from '../words/buy.ts'
import { Bought, BoughtOrder } from './bought.tsx'
import css from './buy.module.css'
import { BuyForm } from './buy-form.tsx'
import { ProductScreen } from './product-screen.tsx'
import type { KeptPurchase } from './use-kept-purchase.ts'

type AfaShop = Schema<'AfaShop'>
type NewRegistration = Omit<Schema<'AfaRegisterByPerson'>, 'reference' | 'id_type'>
type Applicant = Omit<NewRegistration, 'price' | 'notes'> & { readonly notes: string }
type Registration = {
  readonly reference: string
  /** Undefined when the outcome of an earlier sending is looked up. */
  readonly applicant?: NewRegistration
}
type Registered = { readonly order: StatedOrder; readonly balance: number | undefined }

const faultsOf = (applicant: Applicant, now = new Date()) => {
  const adultSince = `${now.getFullYear() - 18}${now.toISOString().slice(4, 10)}`
  const { faults } = buyWords
  return {
    full_name: applicant.full_name.trim() === '' ? faults.fullName : undefined,
    phone: isPhone(applicant.phone) ? undefined : faults.phone,
    id_number: /^GHA-\d{9}-\d$/.test(applicant.id_number) ? undefined : faults.idNumber,
    date_of_birth: applicant.date_of_birth !== '' && applicant.date_of_birth <= adultSince ? undefined : faults.birth,
    location: applicant.location.trim() === '' ? faults.place : undefined,
  }
}

/** Writes the number of a Ghana Card as it is printed: `GHA-123456789-0`. */
function cleanCard(text: string): string {
  const digits = text.replaceAll(/\D/g, '').slice(0, 10)
  if (digits.length < 10) return text.toUpperCase()
  return `GHA-${digits.slice(0, 9)}-${digits.slice(9)}`
}

/** Finds a registration whose answer was lost. Only a 404 proves that it was not placed. */
async function findRegistration(reference: string): Promise<Registered> {
  try {
    const { id, status } = await get('/app/api/afa/orders/{reference}', { reference })
    return { order: { order_id: id, status }, balance: undefined }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    if (error.status !== 404) throw new NoAnswer('unknown')
    error.message = buyWords.notRegistered
    throw error
  }
}

async function register({ reference, applicant }: Registration): Promise<Registered> {
  if (!applicant) return findRegistration(reference)
  const order = await post('/app/api/afa/register', { ...applicant, id_type: 'Ghana Card', reference })
  return { order, balance: order.new_balance }
}

/** The data of the applicant's card, which a browser must not store. */
const emptyCard = { full_name: '', id_number: '', date_of_birth: '' }
const emptyRest = { phone: '', location: '', notes: '' }

type FieldsProps = {
  readonly applicant: Applicant
  readonly regions: AfaShop['regions']
  readonly faults: Partial<ReturnType<typeof faultsOf>>
  readonly onChange: (change: Partial<Applicant>) => void
}

/** The fields with the data of the applicant's card. */
function Fields({ applicant, regions, faults, onChange }: FieldsProps) {
  const field = (
    name: keyof typeof emptyCard | keyof typeof emptyRest,
    clean = (text: string) => text,
  ): Partial<ComponentProps<typeof TextInput>> => ({
    value: applicant[name] ?? '',
    error: faults[name as keyof typeof faults],
    autoComplete: 'off',
    onChange: (event) => onChange({ [name]: clean(event.currentTarget.value) }),
  })
  return (
    <div className={css.form}>
      <TextInput label={buyWords.fullName} maxLength={100} {...field('full_name')} />
      <TextInput label={buyWords.phone} inputMode="tel" {...field('phone', cleanPhone)} />
      <TextInput label={buyWords.idNumber} description={buyWords.idHint} {...field('id_number', cleanCard)} />
      <TextInput label={buyWords.birth} type="date" {...field('date_of_birth')} />
      <NativeSelect
        label={buyWords.region}
        data={[...regions]}
        {...typed(applicant.region, (text) => onChange({ region: text as Applicant['region'] }))}
      />
      <TextInput label={buyWords.place} maxLength={100} {...field('location')} />
      <TextInput label={buyWords.notes} maxLength={500} {...field('notes')} />
    </div>
  )
}

function Register({ shop, purchase }: { readonly shop: AfaShop; readonly purchase: KeptPurchase<Registration, Registered> }) {
  const [card, setCard] = useState(emptyCard)
  const [others, changeOthers] = useKept('buy.afa', { ...emptyRest, region: shop.regions[0] ?? 'Greater Accra' })
  const applicant: Applicant = { ...card, ...others }
  const [isTried, setTried] = useState(false)
  const faults = faultsOf(applicant)
  const { notes, ...rest } = applicant
  return (
    <BuyForm
      product="afa"
      balance={shop.balance}
      what={buyWords.afaFee}
      total={shop.fee}
      purchase={purchase}
      prepare={() => {
        setTried(true)
        return Object.values(faults).every((fault) => fault === undefined)
      }}
      question={buyWords.registerQuestion}
      goods={[{ product: 'afa', item: '', cost: shop.fee }]}
      to={[{ number: applicant.phone, detail: applicant.full_name }]}
      body={() => ({ reference: newReference(), applicant: { ...rest, ...(notes && { notes }), price: shop.fee } })}
    >
      <Fields
        applicant={applicant}
        regions={shop.regions}
        faults={isTried ? faults : {}}
        onChange={(change) =>
          Object.keys(change).every((name) => name in card) ? setCard({ ...card, ...change }) : changeOthers(change)
        }
      />
    </BuyForm>
  )
}

export default function AfaForm() {
  return (
    <ProductScreen
      product="afa"
      read={(signal) => get('/app/api/afa', {}, signal)}
      send={register}
      // A browser must not store the data of the applicant's card.
      partToKeep={({ reference }, { to, ...shown }) => ({
        body: { reference },
        shown: { ...shown, to: to.map(({ number }) => ({ number, detail: buyWords.products.afa })) },
      })}
      result={({ order }, onMore, { fee }) => (
        <Bought paid={fee} onMore={onMore}>
          <BoughtOrder title={buyWords.registered} order={order} detail={buyWords.registeredHint} />
        </Bought>
      )}
    >
      {(shop, purchase) => <Register shop={shop} purchase={purchase} />}
    </ProductScreen>
  )
}
