import { Readable } from 'node:stream'
import type { Static } from 'typebox'
import Type from 'typebox'
import type { Db } from '../../platform/database/database.ts'
import { Envelope, ok } from '../../platform/http/envelope.ts'
import type { Api } from '../../platform/http/route-types.ts'
import { FileOf } from '../../platform/http/schemas.ts'
import {
  CustomerBody,
  CustomerDeleted,
  CustomerImportBody,
  CustomerPath,
  CustomerSaved,
  Customers,
  CustomersImported,
  CustomersQuery,
  wrongCustomersShown,
} from './customer.schemas.ts'
import { importCustomers, writeCustomersCsv } from './customer-file.ts'
import { deleteCustomer, listCustomers, readCustomer, saveCustomer } from './customers.ts'

const tags = ['Customers']

type CustomerDeps = { readonly db: Db }

function registerOneCustomer(api: Api, { db }: CustomerDeps): void {
  api.get(
    '/customers/:customer_id',
    {
      config: { permission: 'look', refusals: [404] },
      schema: {
        operationId: 'readCustomer',
        tags,
        summary: 'One customer, to be changed',
        params: CustomerPath,
        response: { 200: Envelope(Type.Object(CustomerBody.properties, { title: 'CustomerNote' })) },
      },
    },
    async ({ membership, params }) => {
      const { numbers, ...customer } = await readCustomer(db, membership.accountId, params.customerId)
      return ok({ ...customer, numbers: [...numbers] })
    },
  )
  api.put(
    '/customers/:customer_id',
    {
      config: { permission: 'buy', refusals: [404, 409] },
      schema: {
        operationId: 'changeCustomer',
        tags,
        summary: 'Write a customer anew',
        params: CustomerPath,
        body: CustomerBody,
        response: { 200: Envelope(CustomerSaved) },
      },
    },
    async ({ membership, params: { customerId }, body: { name, numbers, note, isFavourite } }) => {
      const changed = { customerId, name, numbers, note, isFavourite }
      return ok({ customerId: await saveCustomer(db, membership.accountId, changed) })
    },
  )
  api.delete(
    '/customers/:customer_id',
    {
      config: { permission: 'buy' },
      schema: {
        operationId: 'deleteCustomer',
        tags,
        summary: 'Delete a customer with the numbers and the note',
        params: CustomerPath,
        response: { 200: Envelope(CustomerDeleted) },
      },
    },
    async ({ membership, params }) => {
      await deleteCustomer(db, membership.accountId, params.customerId)
      return ok({ isDeleted: true } as const)
    },
  )
}

function registerCustomerFiles(api: Api, { db }: CustomerDeps): void {
  api.get(
    '/customers.csv',
    {
      config: { exportedAs: 'customers export', permission: 'look' },
      schema: {
        operationId: 'exportCustomers',
        tags,
        summary: 'All customers, as a file',
        response: { 200: FileOf('text/csv') },
      },
    },
    async ({ membership }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="customers.csv"')
        .send(Readable.from([await writeCustomersCsv(db, membership.accountId)])),
  )
  api.post(
    '/customer-import',
    {
      config: { permission: 'buy', changesNothing: ({ body }) => (body as Static<typeof CustomerImportBody>).isDryRun },
      schema: {
        operationId: 'importCustomers',
        tags,
        summary: 'Add customers from a CSV or a paste, or only say what would happen',
        body: CustomerImportBody,
        response: { 200: Envelope(CustomersImported) },
      },
    },
    async ({ membership, body: { text, isDryRun } }) => {
      const { added, known, wrong } = await importCustomers(db, membership.accountId, { text, isDryRun })
      return ok({ added, known, wrongCount: wrong.length, wrong: wrong.slice(0, wrongCustomersShown) })
    },
  )
}

/**
 * Registers the routes of a reseller's customers. They are personal data, so a customer is deleted with everything noted
 * about it.
 */
export function registerCustomerMemberRoutes(api: Api, deps: CustomerDeps): void {
  api.get(
    '/customers',
    {
      config: { permission: 'look' },
      schema: {
        operationId: 'listCustomers',
        tags,
        summary: 'Your customers: favourites first, then who bought last; at most 100',
        querystring: CustomersQuery,
        response: { 200: Envelope(Customers) },
      },
    },
    async ({ membership, query }) => {
      const customers = await listCustomers(deps.db, membership.accountId, query)
      return ok({ customers: customers.map((customer) => ({ ...customer, numbers: [...customer.numbers] })) })
    },
  )
  api.post(
    '/customers',
    {
      config: { permission: 'buy', refusals: [409] },
      schema: {
        operationId: 'addCustomer',
        tags,
        summary: 'Save a customer',
        body: CustomerBody,
        response: { 200: Envelope(CustomerSaved) },
      },
    },
    async ({ membership, body: { name, numbers, note, isFavourite } }) =>
      ok({ customerId: await saveCustomer(deps.db, membership.accountId, { name, numbers, note, isFavourite }) }),
  )
  registerOneCustomer(api, deps)
  registerCustomerFiles(api, deps)
}
