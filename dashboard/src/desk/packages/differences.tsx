import { formatGhs } from '../../both/money/format-ghs.ts'
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

/** The margin or the loss of a price. */
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

function DifferenceRows({ entry }: { readonly entry: EditPreview['packages'][number] }) {
  return entry.columns.map(({ column, before, after }, index) => (
    <tr key={column}>
      <td>{index === 0 && <b>{entry.name}</b>}</td>
      <td>{columnWords(column)}</td>
      <td className={css.figure}>{showCell({ column, value: before })}</td>
      <td className={css.figure}>
        <b>{showCell({ column, value: after })}</b>
        <MarginOf column={column} margins={entry.margins} />
      </td>
    </tr>
  ))
}

/** Every package that would change, with its values before and after, and the margin then. */
export function Differences({ preview }: { readonly preview: EditPreview }) {
  const { packages, changed, unchanged, new: fresh, not_in_file: notInFile } = preview
  const more = changed + fresh - packages.length
  if (packages.length === 0) return <p>{words.nothingChanges}</p>
  return (
    <>
      <p className={css.note}>{words.summary(changed, fresh, unchanged)}</p>
      {/* An element that scrolls must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section className={css.scroll} tabIndex={0} aria-label={words.differences}>
        <table className={css.diff}>
          <thead>
            <tr>
              <th scope="col">{words.package}</th>
              <th scope="col">{words.thing}</th>
              <th scope="col" className={css.figure}>
                {words.before}
              </th>
              <th scope="col" className={css.figure}>
                {words.after}
              </th>
            </tr>
          </thead>
          <tbody>
            {packages.map((entry) => (
              <DifferenceRows key={entry.name} entry={entry} />
            ))}
          </tbody>
        </table>
      </section>
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
