import { type ReactNode, useEffect, useRef, useState } from 'react'
import css from './table-or-cards.module.css'

/** Rows are drawn, and removed, in chunks of this size. */
export const chunkRows = 50

type Props = {
  /** True: the rows are drawn however far they are from the window. */
  readonly isAlwaysDrawn: boolean
  readonly columnsCount: number
  readonly children: ReactNode
}

/** Rows are drawn while they are at most one window height away from the window. */
const nearby = '100% 0px'

/**
 * Some rows of a long table. While they are far from the window, one empty row of their height replaces them, so that a browser
 * has no more to draw than for a short table.
 */
export function RowChunk({ isAlwaysDrawn, columnsCount, children }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  /** The height of the rows; undefined while they are drawn. */
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const { current } = body
    if (isAlwaysDrawn || !current) return undefined
    const observer = new IntersectionObserver(
      (seen) => {
        const isNear = seen.at(-1)?.isIntersecting === true
        // While one of the rows has the focus, they stay, or the keyboard would begin at the top of the page again.
        if (isNear || current.contains(document.activeElement)) setHeight(undefined)
        else setHeight((before) => before ?? current.getBoundingClientRect().height)
      },
      { rootMargin: nearby },
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [isAlwaysDrawn])
  return (
    <tbody ref={body}>
      {isAlwaysDrawn || height === undefined ? (
        children
      ) : (
        <tr aria-hidden="true" className={css.away}>
          <td colSpan={columnsCount} style={{ height }} />
        </tr>
      )}
    </tbody>
  )
}
