import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../both/api/use-read.ts'
import { Page } from '../../both/layout/page.tsx'
import { QueryAnswer } from '../../both/layout/query-states.tsx'
import { Rows } from '../../both/list/rows.tsx'
import { useMay } from '../me.ts'
import { customerWords } from '../words/customers.ts'
import { frameWords } from '../words/frame.ts'
import { CustomerFile } from './customer-file.tsx'
import { CustomerRow } from './customer-row.tsx'
import css from './customers.module.css'

const typingMilliseconds = 250
/** The server lists at most this many customers. */
const listedMax = 100

/** The people a reseller sells to: favourites first, then who bought last. */
export default function CustomersScreen() {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), typingMilliseconds)
  const customers = useRead('customers', '/app/api/customers', search === '' ? {} : { search }, {
    placeholderData: keepPreviousData,
  })
  const mayWrite = useMay('buy')
  return (
    <Page
      title={frameWords.customers}
      end={
        mayWrite && (
          <Button component={Link} href="/customers/new">
            {customerWords.add}
          </Button>
        )
      }
    >
      <TextInput
        type="search"
        className={css.search ?? ''}
        label={customerWords.search}
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <QueryAnswer query={customers}>
        {({ customers: found }) => (
          <>
            <Rows
              label={frameWords.customers}
              empty={
                search === ''
                  ? { title: customerWords.none, next: customerWords.noneNext }
                  : { title: customerWords.noneFits, next: customerWords.noneFitsNext }
              }
            >
              {found.map((customer) => (
                <CustomerRow key={customer.customer_id} customer={customer} />
              ))}
            </Rows>
            {found.length >= listedMax && <p className={css.soft}>{customerWords.more}</p>}
          </>
        )}
      </QueryAnswer>
      {/* Shown only after the list above, which would otherwise push it down. */}
      {!customers.isPending && <CustomerFile mayWrite={mayWrite} />}
    </Page>
  )
}
