import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Card, Section } from '../../both/layout/page.tsx'
import { listMonths } from '../../both/moments/list-months.ts'
import { type Purse, walletWords } from '../words/wallet.ts'
import css from './wallet.module.css'

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
