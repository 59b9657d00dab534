import { NativeSelect, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useState } from 'react'
import { ApiRefusal, answerOf, api } from '../../both/api/call-api.ts'
import type { components } from '../../both/api/dashboard-api.d.ts'
import { Failure } from '../../both/layout/wait.tsx'
import { ConfirmMoney } from '../../both/money/confirm-money.tsx'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { isPriceChanged, newReference } from '../../both/money/use-reference.ts'
import { cleanPhone } from '../../both/phones.ts'
import { buyWords } from '../words/buy.ts'
import { Bought } from './bought.tsx'
import css from './buy.module.css'
import { BuyFoot } from './buy-foot.tsx'
import { BuyPage } from './buy-page.tsx'
import { Shop } from './shop.tsx'
import { UnknownPurchase } from './unknown-purchase.tsx'

type AfaShop = components['schemas']['AfaShop']
type Applicant = Omit<components['schemas']['AfaRegisterByPerson'], 'reference' | 'id_type' | 'price'>
type Registered = { readonly status: string; readonly balance: number | undefined }

/** A reload keeps only the reference, because a browser must not store the data of the applicant's card. */
const referenceKey = 'makola.purchase.afa'

const faultsOf = (applicant: Applicant, now = new Date()) => {
  const adultSince = `${now.getFullYear() - 18}${now.toISOString().slice(4, 10)}`
  const { faults } = buyWords
  return {
    full_name: applicant.full_name.trim() === '' ? faults.fullName : undefined,
    phone: /^0\d{9}$/.test(applicant.phone) ? undefined : faults.phone,
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

const find = (reference: string) =>
  answerOf(() => api.GET('/app/api/afa/orders/{reference}', { params: { path: { reference } } }))

/** Whether an error proves that no registration was placed. Only the first sending of a reference can prove that. */
const isRefused = (error: unknown): error is ApiRefusal =>
  error instanceof ApiRefusal && (error.status < 500 || ['feature_disabled', 'overloaded'].includes(error.reason))

function useRegistration() {
  const queries = useQueryClient()
  const [unknown, setUnknown] = useState(() => sessionStorage.getItem(referenceKey) ?? undefined)
  const [registered, setRegistered] = useState<Registered>()
  const [refusal, setRefusal] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const end = (outcome: { readonly registered?: Registered; readonly refusal?: Error }) => {
    sessionStorage.removeItem(referenceKey)
    setUnknown(undefined)
    setRegistered(outcome.registered)
    setRefusal(outcome.refusal)
  }
  /** Registers at the price that was shown. @returns the refusal, if any */
  const register = async (applicant: Applicant, price: number): Promise<ApiRefusal | undefined> => {
    const reference = newReference()
    sessionStorage.setItem(referenceKey, reference)
    setBusy(true)
    try {
      const body = { ...applicant, id_type: 'Ghana Card' as const, price, reference }
      const { status, new_balance } = await answerOf(() => api.POST('/app/api/afa/register', { body }))
      end({ registered: { status, balance: new_balance } })
    } catch (error) {
      if (!isRefused(error)) {
        setUnknown(reference)
        return undefined
      }
      if (isPriceChanged(error)) await queries.invalidateQueries({ queryKey: ['shop', 'afa'] })
      end({ refusal: error })
      return error
    } finally {
      setBusy(false)
    }
    return undefined
  }
  const again = async () => {
    if (unknown === undefined) return
    setBusy(true)
    try {
      const { status } = await find(unknown)
      end({ registered: { status, balance: undefined } })
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === 404) end({ refusal: new Error(buyWords.notRegistered) })
    } finally {
      setBusy(false)
    }
  }
  return { unknown, registered, refusal, isBusy, register, again, clear: () => setRegistered(undefined) }
}

const empty = { full_name: '', phone: '', id_number: '', date_of_birth: '', location: '', notes: '' }

type FieldsProps = {
  readonly applicant: Applicant
  readonly regions: AfaShop['regions']
  readonly faults: Partial<ReturnType<typeof faultsOf>>
  readonly onChange: (change: Partial<Applicant>) => void
}

/** The fields with the data of the applicant's card. */
function Fields({ applicant, regions, faults, onChange }: FieldsProps) {
  const field = (name: keyof typeof empty, clean = (text: string) => text): Partial<ComponentProps<typeof TextInput>> => ({
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
        value={applicant.region}
        onChange={(event) => onChange({ region: event.currentTarget.value as Applicant['region'] })}
      />
      <TextInput label={buyWords.place} maxLength={100} {...field('location')} />
      <TextInput label={buyWords.notes} maxLength={500} {...field('notes')} />
    </div>
  )
}

function Register({ shop, registration }: { readonly shop: AfaShop; readonly registration: ReturnType<typeof useRegistration> }) {
  const [applicant, setApplicant] = useState<Applicant>({ ...empty, region: shop.regions[0] ?? 'Greater Accra' })
  const [isTried, setTried] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const faults = faultsOf(applicant)
  const isComplete = Object.values(faults).every((fault) => fault === undefined)
  const confirm = async () => {
    const { notes, ...rest } = applicant
    setAsking(isPriceChanged(await registration.register({ ...rest, ...(notes && { notes }) }, shop.fee)))
  }
  return (
    <BuyPage
      product="afa"
      balance={shop.balance}
      foot={
        <BuyFoot
          what={buyWords.afaFee}
          total={shop.fee}
          balance={shop.balance}
          action={buyWords.register(formatGhs(shop.fee))}
          isReady
          onBuy={() => {
            setTried(true)
            setAsking(isComplete)
          }}
        />
      }
    >
      {registration.refusal && !isAsking && <Failure error={registration.refusal} title={buyWords.refused} />}
      <Fields
        applicant={applicant}
        regions={shop.regions}
        faults={isTried ? faults : {}}
        onChange={(change) => setApplicant({ ...applicant, ...change })}
      />
      <ConfirmMoney
        isOpen={isAsking}
        question={buyWords.registerQuestion(applicant.full_name)}
        amount={shop.fee}
        balanceAfter={Math.round((shop.balance - shop.fee) * 100) / 100}
        action={buyWords.registerShort}
        isBusy={registration.isBusy}
        refusal={registration.refusal}
        onConfirm={() => void confirm()}
        onClose={() => setAsking(false)}
      />
    </BuyPage>
  )
}

function Afa({ shop }: { readonly shop: AfaShop }) {
  const registration = useRegistration()
  const { registered, unknown } = registration
  if (unknown !== undefined) {
    return (
      <BuyPage product="afa" balance={shop.balance}>
        <UnknownPurchase what={buyWords.titles.afa} isBusy={registration.isBusy} onAgain={() => void registration.again()} />
      </BuyPage>
    )
  }
  if (!registered) return <Register shop={shop} registration={registration} />
  return (
    <BuyPage product="afa" balance={registered.balance ?? shop.balance}>
      <Bought
        title={buyWords.registered}
        detail={buyWords.registeredHint}
        status={registered.status}
        paid={shop.fee}
        onMore={registration.clear}
      />
    </BuyPage>
  )
}

export default function AfaForm() {
  return (
    <Shop product="afa" read={(signal) => answerOf(() => api.GET('/app/api/afa', { signal }))}>
      {(shop) => <Afa shop={shop} />}
    </Shop>
  )
}
