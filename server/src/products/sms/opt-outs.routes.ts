import Type from 'typebox'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import { RefusalError } from '../../platform/http/refusals.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { Nullable, sensitive } from '../../platform/http/schemas.ts'
import type { SmsDeps } from './campaigns/send-campaign.ts'
import { contactsPerPage, deleteOptOuts, listContacts } from './contacts/contact-lists.ts'
import { importContacts } from './contacts/import-contacts.ts'
import { smsRefusals } from './sms.refusals.ts'
import { smsLimits } from './sms.settings.ts'
import { readRecipients, recipientsMax } from './text/read-recipients.ts'

const Number233 = Type.String({ ...sensitive, description: '233 and nine digits.', examples: ['233241234567'] })

const OptOutQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      ...sensitive,
      pattern: '^233[0-9]{9}$',
      description: 'The `next` of the page before.',
      examples: ['233241234567'],
    }),
  ),
})

const OptOutPage = Type.Object(
  {
    total: Type.Integer({ description: 'All numbers that have opted out.' }),
    numbers: Type.Array(Number233, { description: '100 at most, in their order.' }),
    next: Nullable(
      Type.String({ ...sensitive, description: 'Send it as `after` for the next page; null: this is the last one.' }),
    ),
  },
  { title: 'SmsOptOutPage' },
)

const NumbersBody = Type.Object(
  {
    numbers: Type.Array(Type.String({ ...sensitive }), {
      minItems: 1,
      maxItems: recipientsMax,
      description: 'Ghana numbers as 0XXXXXXXXX or 233XXXXXXXXX.',
      examples: [['0241234567']],
    }),
  },
  { title: 'SmsOptOutNumbers' },
)

const Added = Type.Object(
  { added: Type.Integer({ description: 'Numbers that were not in the list before.' }) },
  { title: 'SmsOptOutsAdded' },
)
const Removed = Type.Object(
  { removed: Type.Integer({ description: 'Numbers that were in the list before.' }) },
  { title: 'SmsOptOutsRemoved' },
)

function readNumbers(given: readonly string[]): readonly string[] {
  const numbers = readRecipients(given)
  if ('status' in numbers) throw new RefusalError(numbers)
  return numbers
}

/** Registers the endpoints for the numbers that the caller's campaigns leave out. The contract does not have them. */
export function registerOptOutRoutes(api: Api, { db }: SmsDeps): void {
  api.get(
    '/sms/opt-outs',
    {
      config: { keyType: 'sms', limit: smsLimits.optOuts },
      schema: {
        tags: ['SMS'],
        operationId: 'listSmsOptOuts',
        summary: 'List the numbers that have opted out',
        description:
          'An addition beside the contract. Sends to several numbers leave them out; a text to one number alone, such as a code, goes to it all the same. A phone that answers one of your texts with STOP is added by itself, where the network brings replies.',
        querystring: OptOutQuery,
        response: { 200: Envelope(OptOutPage) },
      },
    },
    async ({ caller: { accountId }, query }) => {
      const { list, contacts } = await listContacts(db, accountId, { listId: accountId, after: query.after })
      const numbers = contacts.map(({ recipient }) => recipient)
      return ok({ total: list.contacts, numbers, next: numbers.length < contactsPerPage ? null : (numbers.at(-1) ?? null) })
    },
  )
  api.post(
    '/sms/opt-outs',
    {
      config: { keyType: 'sms', limit: smsLimits.addOptOuts, refusals: [400, smsRefusals.listTooLong] },
      schema: {
        tags: ['SMS'],
        operationId: 'addSmsOptOuts',
        summary: 'Leave numbers out of your campaigns',
        description: 'An addition beside the contract. A number that is there already stays once.',
        body: NumbersBody,
        response: { 200: Envelope(Added) },
      },
    },
    async ({ caller: { accountId }, body }) => {
      const text = readNumbers(body.numbers).join('\n')
      const { added } = await importContacts(db, accountId, { listId: accountId, text, isDryRun: false })
      return ok({ added })
    },
  )
  api.post(
    '/sms/opt-outs/remove',
    {
      config: { keyType: 'sms', limit: smsLimits.removeOptOuts, refusals: [400] },
      schema: {
        tags: ['SMS'],
        operationId: 'removeSmsOptOuts',
        summary: 'Write to numbers again',
        description: 'An addition beside the contract. Only for people who asked for your texts again.',
        body: NumbersBody,
        response: { 200: Envelope(Removed) },
      },
    },
    async ({ caller: { accountId }, body }) => ok({ removed: await deleteOptOuts(db, accountId, readNumbers(body.numbers)) }),
  )
}
