import { useFilters } from '../../both/list/use-filters.ts'
import look from '../frame/look.module.css'
import { Panel } from '../frame/panel.tsx'
import { PartTabs } from '../frame/part-tabs.tsx'
import { suppliersWords } from '../words/suppliers.ts'
import type { DeskSupplier } from './ask-suppliers.ts'
import { FloatPart } from './float-part.tsx'
import { HealthPart } from './health-part.tsx'
import { PackagesPart } from './packages-part.tsx'
import { RoutesPart } from './routes-part.tsx'
import { SettingsPart } from './settings-part.tsx'
import { SupplierState } from './suppliers-table.tsx'

type Part = keyof typeof suppliersWords.parts

const partsOf: Readonly<Record<DeskSupplier['role'], readonly Part[]>> = {
  orders: ['health', 'routes', 'float', 'settings', 'packages'],
  sms: ['routes', 'settings'],
  registration: ['settings'],
}

function PartOf({ part, supplier }: { readonly part: Part; readonly supplier: DeskSupplier }) {
  const name = supplier.supplier
  if (part === 'health') return <HealthPart supplier={name} />
  if (part === 'routes') return <RoutesPart supplier={name} />
  if (part === 'float') return <FloatPart supplier={supplier} />
  if (part === 'settings') return <SettingsPart supplier={supplier} />
  return <PackagesPart supplier={name} />
}

export function SupplierPanel({ supplier }: { readonly supplier: DeskSupplier }) {
  const { filters, setFilters } = useFilters(['part'])
  const parts = partsOf[supplier.role]
  const part = parts.find((each) => each === filters.part) ?? parts[0] ?? 'settings'
  return (
    <Panel title={supplier.supplier} state={<SupplierState supplier={supplier} />}>
      {!supplier.is_usable && <p className={look.warn}>{suppliersWords.notUsable}</p>}
      <PartTabs parts={parts} labels={suppliersWords.parts} shown={part} onChoose={(next) => setFilters({ part: next })}>
        {(each) => <PartOf part={each} supplier={supplier} />}
      </PartTabs>
    </Panel>
  )
}
