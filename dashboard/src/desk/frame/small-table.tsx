import type { ReactNode } from 'react'
import css from './small-table.module.css'

type Props = {
  readonly label: string
  readonly head: readonly string[]
  /** The number of columns at the end that hold figures. */
  readonly figures: number
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[]
  /** The greatest height. A taller table scrolls. */
  readonly height?: string
}

export function SmallTable({ label, head, figures, rows, height = 'none' }: Props) {
  const classOf = (place: number) => (place >= head.length - figures ? css.figure : undefined)
  return (
    // A part that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={css.scroll} style={{ maxHeight: height }} tabIndex={0} aria-label={label}>
      <table className={css.table} aria-label={label}>
        <thead>
          <tr>
            {head.map((title, place) => (
              <th key={title} scope="col" className={classOf(place)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, place) => (
                <td key={head[place]} className={classOf(place)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
