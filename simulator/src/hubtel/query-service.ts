import { answer, codes } from './answer.ts'
import type { HubtelStandIn } from './hubtel-stand-in.ts'
import { accountHolder, findService, isUnknownAccount, listBundles, type Service } from './services.ts'

type Row = { readonly Display: string; readonly Value: string; readonly Amount: number }

const unreachableBillerEnding = '932'

/** GHS between 0 and 99.99, always the same for one number. */
function dueOf(number: string): number {
  return (Number(number.replaceAll(/\D/g, '').slice(-4)) % 10_000) / 100
}

function fact(display: string, value: string, amount = 0): Row {
  return { Display: display, Value: value, Amount: amount }
}

/** Each phone number has two meters, whose numbers end in the same digits. The first has credit. */
function listMeters(phone: string): Row[] {
  const digits = phone.slice(-8)
  return [`G1${digits}`, `G2${digits}`].map((meter, index) => {
    const amount = index === 0 ? -dueOf(phone) : dueOf(phone)
    return fact(` ${accountHolder(phone)} (${meter})`, `${meter.slice(0, 2)} ${meter.slice(2)} `, amount)
  })
}

function rowsOf(standIn: HubtelStandIn, service: Service, destination: string): Row[] {
  if (service.product === 'data') {
    return listBundles(service.name).map(({ display, value, pricePesewas }) => fact(display, value, pricePesewas / 100))
  }
  if (service.product === 'airtime') return [fact('destination', destination)]
  if (service.name === 'ecg') return listMeters(destination)
  const due = dueOf(destination)
  const facts = [fact('name', accountHolder(destination)), fact(' Amount Due', due.toFixed(2), due)]
  if (service.name === 'ghana_water') return [...facts, fact('sessionId', standIn.openSession(destination))]
  const account = fact('account', destination)
  return service.name === 'startimes' ? [...facts, account, fact('Bouquet', 'Nova')] : [...facts, account]
}

/** Answers a query. For bills, the ending 931 or 932 of the account or of the phone number scripts a failure. */
export function queryService(standIn: HubtelStandIn, serviceId: string, query: { destination?: string; mobile?: string }) {
  const service = findService(serviceId)
  const { destination = '', mobile = '' } = query
  if (!service || destination === '') return answer(codes.invalid, 'The service or the destination is missing.')
  const numbers = [destination, mobile]
  if (service.product === 'utilities' && numbers.some((number) => number.endsWith(unreachableBillerEnding))) {
    return answer(codes.httpFailure, 'The provider could not be reached.')
  }
  if (service.product === 'utilities' && numbers.some(isUnknownAccount)) {
    return answer(codes.failed, 'The account was not found.')
  }
  return { ...answer(codes.processed, 'Successful', rowsOf(standIn, service, destination)), Label: service.name }
}
