import type { ComponentType } from 'react'
import { useParams } from 'wouter'
import { Page } from '../../both/layout/page.tsx'
import { Tabs } from '../../both/list/choices.tsx'
import { choicesOf } from '../../both/list/filter-bar.tsx'
import { frameWords } from '../words/frame.ts'
import { reportWords } from '../words/reports.ts'
import { CostsPart } from './costs-part.tsx'
import { FloatReportPart } from './float-report.tsx'
import { MailedReportsPart } from './mailed-reports.tsx'
import { OwedReportPart } from './owed-report.tsx'
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
    <Page title={frameWords.reports} isWide>
      <Tabs
        label={reportWords.chosen}
        value={chosen}
        options={choicesOf(reportWords.kinds)}
        hrefOf={(kind) => (kind === 'sales' ? '/reports' : `/reports/${kind}`)}
      />
      <Part />
    </Page>
  )
}
