import { NativeSelect, TextInput } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { ApiRefusal, get, NoAnswer, post, type Schema } from '../../both/api/call-api.ts'
import { bindText } from '../../both/form/typed.ts'
import { newReference } from '../../both/money/use-reference.ts'
import { cleanPhone, isPhone } from '../../both/phones.ts'
import type { StatedOrder } from '../orders/use-states.ts'
import { useSavedFields } from '../use-saved-fields.ts'
import { afaWords } from '../words/afa.ts'
import { buyWords } from '../words/buy.ts'
import { Bought, BoughtOrder } from './bought.tsx'
import css from './buy.module.css'
import { BuyForm } from './buy-form.tsx'
import { ProductScreen } from './product-screen.tsx'
import { type PurchaseState, surelyAnsweredMilliseconds } from './use-kept-purchase.ts'

type AfaShop = Schema<'AfaShop'>
type NewRegistration = Omit<Schema<'AfaRegisterByPerson'>, 'reference' | 'id_type'>
type Region = NewRegistration['region']
/** The fields of the form as text. `region` is empty until the person chooses one. */
type Applicant = Omit<NewRegistration, 'price' | 'notes' | 'region'> & { readonly notes: string; readonly region: Region | '' }
type Registration = {
  readonly reference: string
  /** Undefined when the outcome of an earlier request is looked up. */
  readonly applicant?: NewRegistration
  /** When the applicant was sent, in milliseconds. Undefined until then. */
  readonly sentAt?: number
}
type Registered = { readonly order: StatedOrder; readonly balance: number | undefined }

const faultsOf = (applicant: Applicant, now = new Date()) => {
  const adultSince = `${now.getFullYear() - 18}${now.toISOString().slice(4, 10)}`
  const { faults } = afaWords
  return {
    full_name: applicant.full_name.trim() === '' ? faults.fullName : undefined,
    phone: isPhone(applicant.phone) ? undefined : buyWords.phoneFault,
    id_number: /^GHA-\d{9}-\d$/.test(applicant.id_number) ? undefined : faults.idNumber,
    date_of_birth: applicant.date_of_birth !== '' && applicant.date_of_birth <= adultSince ? undefined : faults.birth,
    region: applicant.region === '' ? faults.region : undefined,
    location: applicant.location.trim() === '' ? faults.place : undefined,
  }
}

/** Writes the number of a Ghana Card as it is printed: `GHA-123456789-0`. */
function cleanCard(text: string): string {
  const digits = text.replaceAll(/\D/g, '').slice(0, 10)
  if (digits.length < 10) return text.toUpperCase()
  return `GHA-${digits.slice(0, 9)}-${digits.slice(9)}`
}

/** Finds a registration whose answer was lost. Only a 404 proves that it was not placed, and only when it surely will not be. */
async function findRegistration(reference: string, sentAt: number): Promise<Registered> {
  try {
    const { id, status } = await get('/app/api/afa/orders/{reference}', { reference })
    return { order: { order_id: id, status }, balance: undefined }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    if (error.status !== 404 || Date.now() - sentAt < surelyAnsweredMilliseconds) throw new NoAnswer('unknown')
    error.message = afaWords.notRegistered
    throw error
  }
}

async function register({ reference, applicant, sentAt = 0 }: Registration): Promise<Registered> {
  if (!applicant) return findRegistration(reference, sentAt)
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

/** The fields about the applicant: the data of the card, the phone number, the region and the place. */
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
      <TextInput label={afaWords.fullName} maxLength={100} {...field('full_name')} />
      <TextInput label={buyWords.phone} inputMode="tel" {...field('phone', cleanPhone)} />
      <TextInput label={afaWords.idNumber} description={afaWords.idHint} inputMode="numeric" {...field('id_number', cleanCard)} />
      <TextInput label={afaWords.birth} type="date" {...field('date_of_birth')} />
      <NativeSelect
        label={afaWords.region}
        data={[{ value: '', label: afaWords.chooseRegion, disabled: true }, ...regions]}
        error={faults.region}
        {...bindText(applicant.region, (text) => onChange({ region: text as Region }))}
      />
      <TextInput label={afaWords.place} maxLength={100} {...field('location')} />
      <TextInput label={afaWords.notes} maxLength={500} {...field('notes')} />
    </div>
  )
}

function Register({ shop, purchase }: { readonly shop: AfaShop; readonly purchase: PurchaseState<Registration, Registered> }) {
  const [card, setCard] = useState(emptyCard)
  const [others, changeOthers] = useSavedFields<Omit<Applicant, keyof typeof emptyCard>>('buy.afa', { ...emptyRest, region: '' })
  const applicant: Applicant = { ...card, ...others }
  const [isTried, setTried] = useState(false)
  const faults = faultsOf(applicant)
  const { notes, region, ...rest } = applicant
  return (
    <BuyForm
      product="afa"
      balance={shop.balance}
      what={afaWords.afaFee}
      total={shop.fee}
      purchase={purchase}
      prepare={() => {
        setTried(true)
        return Object.values(faults).every((fault) => fault === undefined)
      }}
      question={afaWords.registerQuestion}
      goods={[{ product: 'afa', item: '', cost: shop.fee }]}
      to={[{ number: applicant.phone, detail: applicant.full_name }]}
      body={() => ({
        reference: newReference(),
        applicant: { ...rest, region: region as Region, ...(notes && { notes }), price: shop.fee },
      })}
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
      partToKeep={({ reference, sentAt = Date.now() }, { to, ...shown }) => ({
        body: { reference, sentAt },
        shown: { ...shown, to: to.map(({ number }) => ({ number, detail: buyWords.products.afa })) },
      })}
      result={({ order }, shown, { fee }) => (
        <Bought orders={[{ ...order, paid: fee }]} {...shown}>
          <BoughtOrder title={afaWords.registered} order={order} detail={afaWords.registeredHint} />
        </Bought>
      )}
    >
      {(shop, purchase) => <Register shop={shop} purchase={purchase} />}
    </ProductScreen>
  )
}
