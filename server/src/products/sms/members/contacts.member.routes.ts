import type { Static } from 'typebox'
import { Envelope, ok } from '../../../platform/http/envelope.ts'
import type { Api } from '../../../platform/http/route-types.ts'
import type { SmsDeps } from '../campaigns/send-campaign.ts'
import {
  contactsPerPage,
  createContactList,
  deleteContact,
  deleteContactList,
  listContactLists,
  listContacts,
} from '../contacts/contact-lists.ts'
import { importContacts } from '../contacts/import-contacts.ts'
import { smsRefusals } from '../sms.refusals.ts'
import { wrongShown } from './composer.member.routes.ts'
import {
  ContactLists,
  ContactListView,
  ContactPath,
  Contacts,
  ContactsImported,
  ContactsQuery,
  Deleted,
  Done,
  ImportBody,
  ListBody,
  ListPath,
  NumberPath,
  pastedBytesMax,
} from './sms-member.schemas.ts'

const tags = ['SMS contacts']

/** Contacts are personal data, so a number can be deleted with its list, from one list, or from all lists at once. */
export function registerContactMemberRoutes(app: Api, deps: SmsDeps): void {
  registerListRoutes(app, deps)
  registerImport(app, deps)
  registerDeletions(app, deps)
}

function registerListRoutes(app: Api, { db }: SmsDeps): void {
  app.get(
    '/sms/lists',
    {
      config: { permission: 'look' },
      schema: { operationId: 'listSmsLists', tags, summary: 'Lists of contacts', response: { 200: Envelope(ContactLists) } },
    },
    async ({ membership }) => ok({ lists: await listContactLists(db, membership.accountId) }),
  )
  app.post(
    '/sms/lists',
    {
      config: { permission: 'send_sms', refusals: [smsRefusals.listNameTaken, smsRefusals.tooManyLists] },
      schema: {
        operationId: 'createSmsList',
        tags,
        summary: 'Make an empty list',
        body: ListBody,
        response: { 200: Envelope(ContactListView) },
      },
    },
    async ({ body, membership }) => ok(await createContactList(db, membership.accountId, body.name)),
  )
  app.get(
    '/sms/lists/:list_id',
    {
      config: { permission: 'look', refusals: [smsRefusals.listNotFound] },
      schema: {
        operationId: 'listSmsContacts',
        tags,
        summary: 'A list and its contacts, 100 to a page',
        params: ListPath,
        querystring: ContactsQuery,
        response: { 200: Envelope(Contacts) },
      },
    },
    async ({ params, query, membership }) => {
      const { list, contacts } = await listContacts(db, membership.accountId, { listId: params.listId, after: query.after })
      return ok({
        list,
        contacts: contacts.map(({ recipient, name }) => ({ number: recipient, name })),
        next: contacts.length < contactsPerPage ? null : (contacts.at(-1)?.recipient ?? null),
      })
    },
  )
}

function registerImport(app: Api, { db }: SmsDeps): void {
  app.post(
    '/sms/lists/:list_id/import',
    {
      bodyLimit: pastedBytesMax,
      config: {
        permission: 'send_sms',
        changesNothing: ({ body }) => (body as Static<typeof ImportBody>).isDryRun,
        refusals: [smsRefusals.listNotFound, smsRefusals.listTooLong],
      },
      schema: {
        operationId: 'importSmsContacts',
        tags,
        summary: 'Add numbers from a CSV or a paste to a list, or only say what would happen',
        params: ListPath,
        body: ImportBody,
        response: { 200: Envelope(ContactsImported) },
      },
    },
    async ({ params, body, membership }) => {
      const contactImport = { listId: params.listId, text: body.text, isDryRun: body.isDryRun }
      const { added, repeated, known, wrong } = await importContacts(db, membership.accountId, contactImport)
      return ok({
        added,
        repeated,
        known,
        wrongCount: wrong.length,
        wrong: wrong.slice(0, wrongShown),
      })
    },
  )
}

function registerDeletions(app: Api, { db }: SmsDeps): void {
  app.delete(
    '/sms/lists/:list_id',
    {
      config: { permission: 'send_sms' },
      schema: {
        operationId: 'deleteSmsList',
        tags,
        summary: 'Delete a list and all its contacts',
        params: ListPath,
        response: { 200: Envelope(Done) },
      },
    },
    async ({ params, membership }) => {
      await deleteContactList(db, membership.accountId, params.listId)
      return ok({ done: true } as const)
    },
  )
  app.delete(
    '/sms/lists/:list_id/contacts/:number',
    {
      config: { permission: 'send_sms' },
      schema: {
        operationId: 'deleteSmsContact',
        tags,
        summary: 'Delete a number from a list',
        params: ContactPath,
        response: { 200: Envelope(Deleted) },
      },
    },
    async ({ params: { listId, number: recipient }, membership }) =>
      ok({ deleted: await deleteContact(db, membership.accountId, { recipient, listId }) }),
  )
  app.delete(
    '/sms/contacts/:number',
    {
      config: { permission: 'send_sms' },
      schema: {
        operationId: 'forgetSmsContact',
        tags,
        summary: 'Delete a number from all lists, as its owner may ask',
        params: NumberPath,
        response: { 200: Envelope(Deleted) },
      },
    },
    async ({ params, membership }) =>
      ok({ deleted: await deleteContact(db, membership.accountId, { recipient: params.number }) }),
  )
}
