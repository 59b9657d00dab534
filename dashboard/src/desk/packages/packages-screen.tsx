import { Button, FileButton } from '@mantine/core'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { fieldWords } from '../../both/field-words.ts'
import { emptyFileField } from '../../both/form/empty-file-field.ts'
import { ListWithPanel } from '../../both/layout/beside.tsx'
import { Page } from '../../both/layout/page.tsx'
import { Empty, Failure, QueryAnswer } from '../../both/layout/query-states.tsx'
import { FileLink } from '../../both/list/file-link.tsx'
import { choicesOf, FilterBar } from '../../both/list/filter-bar.tsx'
import { TableOrCards } from '../../both/list/table-or-cards.tsx'
import { type Filters, useFilters } from '../../both/list/use-filters.ts'
import { AmountField } from '../../both/money/amount-field.tsx'
import { gigabytes, readAmount } from '../../both/money/read-amount.ts'
import { Figures } from '../frame/figures.tsx'
import { useMay } from '../me.ts'
import { frameWords } from '../words/frame.ts'
import { packageWords as words } from '../words/packages.ts'
import { type GridPackage, type PackageEdit, useGrid } from './package-calls.ts'
import { closedOffers, isAtLoss, packageColumns } from './package-columns.tsx'
import { PackageForm } from './package-form.tsx'
import { PackagePanel } from './package-panel.tsx'
import css from './packages.module.css'
import { PriceTabs } from './price-tabs.tsx'
import { type Chosen, ShiftPrices } from './shift-prices.tsx'

/** The code of the dialog is loaded when it is first opened. */
const ChangeDialog = lazy(() => import('./change-dialog.tsx').then((file) => ({ default: file.ChangeDialog })))

const filterNames = ['network', 'show', 'size'] as const
type GridFilters = Filters<(typeof filterNames)[number]>

const isShown: Readonly<Record<string, (row: GridPackage) => boolean>> = {
  loss: isAtLoss,
  closed: (row) => closedOffers(row) > 0,
  off: ({ is_available: isOn, supplier, stock }) => !isOn || supplier === null || stock === 0,
  scheduled: ({ scheduled }) => scheduled !== null,
}

function fitting(packages: readonly GridPackage[], { network, show, size }: GridFilters): readonly GridPackage[] {
  const { amount: volumeGb } = readAmount(size ?? '', gigabytes)
  const fits = isShown[show ?? '']
  return packages.filter(
    (row) =>
      (network === undefined || row.network === network) &&
      (volumeGb === undefined || row.volume_gb === volumeGb) &&
      (fits === undefined || fits(row)),
  )
}

type OpenedChange = { readonly edit: PackageEdit; readonly title: string }
/** The longest file in bytes. The server takes as many characters, and each has at least one byte. */
const fileLengthMax = 3_000_000

function ImportButton({ onEdit }: { readonly onEdit: (edit: PackageEdit, title: string) => void }) {
  const [error, setError] = useState<Error>()
  const take = async (file: File | null) => {
    setError(undefined)
    if (!file) return
    if (file.size > fileLengthMax) setError(new Error(words.fileTooLarge))
    else onEdit({ file: await file.text() }, file.name)
  }
  return (
    <>
      <FileButton accept=".csv,text/csv" inputProps={{ onClick: emptyFileField }} onChange={(file) => void take(file)}>
        {(props) => (
          <Button variant="default" {...props}>
            {words.import}
          </Button>
        )}
      </FileButton>
      {error && <Failure error={error} />}
    </>
  )
}

type BarProps = { readonly chosen: Chosen; readonly setOpened: (opened: OpenedChange) => void; readonly onAdd: () => void }

/** The buttons above the price list. Everybody who sees the list may save it as a file. */
function Bar({ chosen, setOpened, onAdd }: BarProps) {
  const mayChange = useMay('manage_catalogue')
  const onEdit = (edit: PackageEdit, title: string) => setOpened({ edit, title })
  return (
    <div className={css.acts}>
      {mayChange && (
        <>
          <ShiftPrices chosen={chosen} onEdit={onEdit} />
          <Button variant="default" onClick={onAdd}>
            {words.add}
          </Button>
          <ImportButton onEdit={onEdit} />
        </>
      )}
      <FileLink href="/desk/api/packages.csv" label={words.file} />
    </div>
  )
}

function GridFigures({ packages }: { readonly packages: readonly GridPackage[] }) {
  const count = (fits: (row: GridPackage) => boolean) => packages.filter(fits).length
  const [losses, closed] = [count(isAtLoss), count((row) => closedOffers(row) > 0)]
  return (
    <Figures
      label={fieldWords.priceList}
      figures={[
        { label: words.figures.packages, value: String(packages.length) },
        { label: words.figures.losses, value: String(losses), tone: losses > 0 ? 'warn' : 'plain' },
        { label: words.figures.closed, value: String(closed), tone: closed > 0 ? 'warn' : 'plain' },
        { label: words.figures.scheduled, value: String(count(({ scheduled }) => scheduled !== null)) },
      ]}
    />
  )
}

const keyOf = ({ package_id: id }: GridPackage) => id

type GridProps = {
  readonly grid: { readonly packages: readonly GridPackage[]; readonly networks: readonly GridPackage['network'][] }
  readonly selected: string | undefined
  readonly setOpened: (opened: OpenedChange) => void
  readonly onAdd: () => void
}

function Grid({ grid: { packages, networks }, selected, setOpened, onAdd }: GridProps) {
  const [, navigate] = useLocation()
  const { filters, setFilters, search } = useFilters(filterNames)
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const mayChange = useMay('manage_catalogue')
  const rows = useMemo(() => fitting(packages, filters), [packages, filters])
  const onSelect = useCallback((row: GridPackage) => navigate(`/packages/${row.package_id}${search}`), [navigate, search])
  const network = networks.find((name) => name === filters.network)
  const shownTicked = rows.filter((row) => ticked.has(row.package_id)).map(keyOf)
  const all: Chosen = network === undefined ? 'all' : { network }
  return (
    <>
      <GridFigures packages={packages} />
      <Bar chosen={shownTicked.length > 0 ? { ids: shownTicked } : all} setOpened={setOpened} onAdd={onAdd} />
      <FilterBar
        fields={{
          network: {
            label: fieldWords.network,
            any: words.allNetworks,
            options: networks.map((value) => ({ value, label: value })),
          },
          show: { label: fieldWords.show, options: choicesOf(words.shows) },
        }}
        filters={filters}
        onShow={setFilters}
      >
        <AmountField kind={gigabytes} label={words.size} text={filters.size ?? ''} onText={(size) => setFilters({ size })} />
      </FilterBar>
      {rows.length === 0 ? (
        <Empty title={packages.length === 0 ? words.empty : words.nothingFits}>
          {packages.length === 0 ? words.emptyNext : words.nothingFitsNext}
        </Empty>
      ) : (
        <TableOrCards
          label={fieldWords.priceList}
          columns={selected === undefined ? packageColumns.all : packageColumns.besidePanel}
          rows={rows}
          keyOf={keyOf}
          onSelect={onSelect}
          selectedKey={selected}
          {...(mayChange && selected === undefined && { ticks: { keys: ticked, set: setTicked } })}
        />
      )}
    </>
  )
}

/** The price list with costs and margins, and beside it the chosen package. */
export default function PackagesScreen() {
  const { package: selected } = useParams<{ package?: string }>()
  const [, navigate] = useLocation()
  const mayChange = useMay('manage_catalogue')
  const [opened, setOpened] = useState<OpenedChange>()
  // The typed texts stay in the form while their differences are shown. They are cleared once the change is saved.
  const [saves, setSaves] = useState(0)
  const grid = useGrid()
  const close = () => navigate(`/packages${location.search}`)
  const onEdit = (edit: PackageEdit, title: string) => setOpened({ edit, title })
  const onDone = () => {
    setSaves((before) => before + 1)
    if (selected === 'new') close()
  }
  return (
    <Page title={frameWords.packages} isWide>
      <PriceTabs chosen="now" />
      <QueryAnswer query={grid} lines={6}>
        {(answer) => {
          const { packages, suppliers, networks } = answer
          const row = packages.find(({ package_id: id }) => id === selected)
          const parts = { suppliers, networks, onEdit }
          const isNew = selected === 'new' && mayChange
          return (
            <ListWithPanel
              label={fieldWords.package}
              panel={
                row ? (
                  <PackagePanel key={`${row.package_id} ${saves}`} row={row} {...parts} />
                ) : isNew ? (
                  <>
                    <div className={css.head}>
                      <h2>{words.addTitle}</h2>
                    </div>
                    <PackageForm row={undefined} mayChange {...parts} />
                  </>
                ) : undefined
              }
              onClose={close}
            >
              <Grid
                grid={answer}
                selected={row || isNew ? selected : undefined}
                setOpened={setOpened}
                onAdd={() => navigate('/packages/new')}
              />
            </ListWithPanel>
          )
        }}
      </QueryAnswer>
      <Suspense>{opened && <ChangeDialog {...opened} onClose={() => setOpened(undefined)} onDone={onDone} />}</Suspense>
    </Page>
  )
}
