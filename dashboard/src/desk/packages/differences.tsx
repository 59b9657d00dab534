import { Fragment } from 'react'
import { fieldWords } from '../../both/field-words.ts'
import { formatGhs } from '../../both/money/format-ghs.ts'
import { SmallTable } from '../frame/small-table.tsx'
import { columnWords, packageWords as words } from '../words/packages.ts'
import { type ChangedColumn, type EditPreview, type GridPackage, priceRoles } from './package-calls.ts'
import css from './packages.module.css'

const isAmount = (column: string) => /^(price|cost)_/.test(column)

/** A cell of a price list as people read it. */
export function showCell({ column, value }: { readonly column: string; readonly value: ChangedColumn['before'] }): string {
  if (value === null) return '–'
  if (typeof value === 'number') return isAmount(column) ? formatGhs(value) : String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value
}

export function Margin({ ghs }: { readonly ghs: number }) {
  return ghs < 0 ? (
    <span className={css.loss}>{words.loss(formatGhs(-ghs))}</span>
  ) : (
    <span className={css.note}>{words.margin(formatGhs(ghs))}</span>
  )
}

type Margins = GridPackage['margins']

function MarginOf({ column, margins }: { readonly column: string; readonly margins: Margins }) {
  const role = priceRoles.find((each) => column === `price_${each}`)
  if (!role || !margins) return null
  return <Margin ghs={margins[role]} />
}

const rowsOf = (entry: EditPreview['packages'][number]) =>
  entry.columns.map(({ column, before, after }, index) => ({
    key: `${entry.name} ${column}`,
    cells: [
      index === 0 && <b key="name">{entry.name}</b>,
      columnWords(column),
      showCell({ column, value: before }),
      <Fragment key="after">
        <b>{showCell({ column, value: after })}</b>
        <MarginOf column={column} margins={entry.margins} />
      </Fragment>,
    ],
  }))

/** The packages that would change: their values before and after, and the new margin. Says how many others are not shown. */
export function Differences({ preview }: { readonly preview: EditPreview }) {
  const { packages, changed, unchanged, new: fresh, not_in_file: notInFile } = preview
  const more = changed + fresh - packages.length
  if (packages.length === 0) return <p>{words.nothingChanges}</p>
  return (
    <>
      <p className={css.note}>{words.summary(changed, fresh, unchanged)}</p>
      <SmallTable
        label={words.differences}
        head={[fieldWords.package, fieldWords.what, fieldWords.before, fieldWords.after]}
        figures={2}
        height="42vh"
        rows={packages.flatMap(rowsOf)}
      />
      {more > 0 && <p className={css.note}>{words.moreNotShown(more)}</p>}
      {notInFile.length > 0 && <p className={css.note}>{words.notInFile(notInFile.length)}</p>}
    </>
  )
}

/** The packages that would be sold below cost. */
export function Losses({ preview }: { readonly preview: EditPreview }) {
  const { losses, losses_in_all: count } = preview
  return (
    <>
      <b>{words.losses(count)}</b>
      {/* An element that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={css.lossList} tabIndex={0} aria-label={words.losses(count)}>
        {losses.map(({ name, supplier, message }) => (
          <span key={`${name} ${supplier}`}>{message}</span>
        ))}
        {count > losses.length && <span>{words.moreNotShown(count - losses.length)}</span>}
      </section>
    </>
  )
}
