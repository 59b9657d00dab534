import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The least width in which a table with this number of columns can be read. */
const readablePixels = (columns: number): number => Math.max(480, 60 + 100 * columns)

/**
 * Measures if the element around a table is wide enough: for the number of columns, and for the greatest width of the table
 * that did not fit.
 */
export function useTableWidth(columns: number): {
  readonly containerRef: RefObject<HTMLDivElement | null>
  readonly hasRoom: boolean
} {
  const around = useRef<HTMLDivElement>(null)
  const [hasRoom, setHasRoom] = useState(true)
  useLayoutEffect(() => {
    const container = around.current
    const table = container?.querySelector('table')
    if (!container || !table) return undefined
    let neededPixels = readablePixels(columns)
    const measureWidth = () => {
      if (table.offsetWidth > container.clientWidth) neededPixels = Math.max(neededPixels, table.offsetWidth)
      setHasRoom(container.clientWidth >= neededPixels)
    }
    measureWidth()
    const observer = new ResizeObserver(measureWidth)
    observer.observe(container)
    // The table is observed too, because its width changes with its rows.
    observer.observe(table)
    return () => observer.disconnect()
  }, [columns])
  return { containerRef: around, hasRoom }
}
