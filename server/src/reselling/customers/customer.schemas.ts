import Type from 'typebox'
import { Ghs } from '../../money/ghs.ts'
import { plainTextPattern } from '../../platform/http/document/patterns-in-words.ts'
import { Nullable, Uuid } from '../../platform/http/schemas.ts'
import { Timestamp } from '../../platform/operations/fields.ts'
import { customerNumbersMax } from './customers.ts'

export const CustomerBody = Type.Object({
  name: Type.String({ pattern: plainTextPattern, maxLength: 60 }),
  numbers: Type.Array(Type.String({ maxLength: 40 }), {
    maxItems: customerNumbersMax,
    description: 'Phone numbers in any way of writing, meters and smartcards. A number belongs to one customer.',
  }),
  note: Type.String({ maxLength: 200, description: 'Only you read it; may be empty.' }),
  isFavourite: Type.Boolean(),
})

const lastOrder = {
  orderId: Uuid(),
  product: Type.String(),
  network: Nullable(Type.String()),
  variety: Nullable(Type.String()),
  recipient: Type.String(),
  pricePesewas: Ghs({ description: 'What it cost you, in GHS.' }),
  at: Timestamp(),
}

export const LatestSale = Type.Object(
  {
    name: Nullable(Type.String({ description: 'Of the customer who has the number.' })),
    isFavourite: Type.Boolean(),
    ...lastOrder,
  },
  { title: 'LatestSale' },
)

const Customer = Type.Object(
  {
    customerId: Uuid(),
    ...CustomerBody.properties,
    last: Type.Union([
      Type.Object(lastOrder, { title: 'LastOrderOfCustomer', description: 'The newest order for one of the numbers.' }),
      Type.Null(),
    ]),
  },
  { title: 'Customer' },
)

export const Customers = Type.Object({ customers: Type.Array(Customer) }, { title: 'Customers' })
export const CustomersQuery = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 60, description: 'Part of a name, a note or a number.' })),
})
export const CustomerPath = Type.Object({ customerId: Uuid() })
export const CustomerSaved = Type.Object({ customerId: Uuid() }, { title: 'CustomerSaved' })
export const CustomerDeleted = Type.Object({ isDeleted: Type.Literal(true) }, { title: 'CustomerDeleted' })

const importLengthMax = 200_000
export const wrongCustomersShown = 50

export const CustomerImportBody = Type.Object({
  text: Type.String({ maxLength: importLengthMax, description: 'CSV or a paste: a customer on each line.' }),
  isDryRun: Type.Boolean({ description: 'True: nothing is changed.' }),
})
export const CustomersImported = Type.Object(
  {
    added: Type.Integer(),
    known: Type.Integer({ description: 'Lines whose numbers are customers already.' }),
    wrongCount: Type.Integer(),
    wrong: Type.Array(Type.Object({ line: Type.Integer(), given: Type.String() }, { title: 'WrongCustomerLine' })),
  },
  { title: 'CustomersImported' },
)
