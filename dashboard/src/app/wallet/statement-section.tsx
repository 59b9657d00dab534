import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Card, Section } from '../../both/layout/page.tsx'
import { dayOf } from '../../both/moments/format-moment.ts'
import { type Purse, walletWords } from '../words/wallet.ts'
import css from './wallet.module.css'

const monthsShown = 13
const monthWords = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' })

/** The last months, the present one first. Each has its name for the API and its name for people. */
function listMonths(): { value: string; label: string }[] {
  const [year = 0, month = 1] = dayOf(new Date()).split('-').map(Number)
  return Array.from({ length: monthsShown }, (_, ago) => {
    const first = new Date(Date.UTC(year, month - 1 - ago))
    return { value: first.toISOString().slice(0, 7), label: monthWords.format(first) }
  })
}

/** The statement of a month, as a document or a table. */
export function StatementSection({ purse }: { readonly purse: Purse }) {
  const months = listMonths()
  const [month, setMonth] = useState(months[0]?.value ?? '')
  const address = (type: 'pdf' | 'csv') => `/app/api/wallet/statement.${type}?purse=${purse}&month=${month}`
  return (
    <Section title={walletWords.statement}>
      <Card>
        <p className={css.soft}>{walletWords.statementWhat}</p>
        <div className={css.statement}>
          <NativeSelect
            label={walletWords.month}
            data={months}
            value={month}
            onChange={({ currentTarget }) => setMonth(currentTarget.value)}
          />
          <Button component="a" href={address('pdf')} download variant="light">
            {walletWords.pdf}
          </Button>
          <Button component="a" href={address('csv')} download variant="default">
            {walletWords.csv}
          </Button>
        </div>
      </Card>
    </Section>
  )
}
