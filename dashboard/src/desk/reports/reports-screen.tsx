import type { ComponentType } from 'react'
import { Link, useParams } from 'wouter'
import { Page } from '../../both/layout/page.tsx'
import { reportWords } from '../words/reports.ts'
import { CostsPart } from './costs-part.tsx'
import { FloatReportPart } from './float-report.tsx'
import { MailedReportsPart } from './mailed-reports.tsx'
import { OwedReportPart } from './owed-report.tsx'
import css from './reports.module.css'
import { SalesReportPart } from './sales-report.tsx'
import { TaxReportPart } from './tax-report.tsx'

type Kind = keyof typeof reportWords.kinds

const parts: Readonly<Record<Kind, ComponentType>> = {
  sales: SalesReportPart,
  tax: TaxReportPart,
  owed: OwedReportPart,
  float: FloatReportPart,
  costs: CostsPart,
  mail: MailedReportsPart,
}
const kinds = Object.keys(parts) as Kind[]

/** The reports. Each has its own address, which also holds its days and its grouping. */
export default function ReportsScreen() {
  const { report } = useParams()
  const chosen = kinds.find((kind) => kind === report) ?? 'sales'
  const Part = parts[chosen]
  return (
    <Page title={reportWords.title} isWide>
      <nav className={css.tabs} aria-label={reportWords.chosen}>
        {kinds.map((kind) => (
          <Link
            key={kind}
            href={kind === 'sales' ? '/reports' : `/reports/${kind}`}
            className={kind === chosen ? css.here : undefined}
            aria-current={kind === chosen ? 'page' : undefined}
          >
            {reportWords.kinds[kind]}
          </Link>
        ))}
      </nav>
      <Part />
    </Page>
  )
}
