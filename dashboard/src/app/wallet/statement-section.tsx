import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../both/api/use-read.ts'
import { fieldWords } from '../../both/field-words.ts'
import { typed } from '../../both/form/typed.ts'
import { Card, Section } from '../../both/layout/page.tsx'
import { listMonths } from '../../both/moments/list-months.ts'
import { StatementFiles } from '../../both/money/statement-files.tsx'
import { type Purse, walletWords } from '../words/wallet.ts'
import css from './wallet.module.css'

export function StatementSection({ purse }: { readonly purse: Purse }) {
  const months = listMonths()
  const [month, setMonth] = useState(months[0]?.value ?? '')
  const { data } = useRead('statement', '/app/api/wallet/statement', { purse, month })
  const addressOf = (type: 'pdf' | 'csv', part?: number) =>
    `/app/api/wallet/statement.${type}?purse=${purse}&month=${month}${part === undefined ? '' : `&part=${part}`}`
  return (
    <Section title={fieldWords.statement}>
      <Card>
        <p className={css.soft}>{walletWords.statementWhat}</p>
        <div className={css.statement}>
          <NativeSelect label={walletWords.month} data={months} {...typed(month, setMonth)} />
          <StatementFiles addressOf={addressOf} parts={data?.parts} />
        </div>
      </Card>
    </Section>
  )
}
