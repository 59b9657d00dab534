import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

/** The least width in which a table with this number of columns can be read. */
const readablePixels = (columns: number): number => Math.max(480, 60 + 100 * columns)

/**
 * Whether the element around a table is wide enough: for the number of columns, and for the width that the table had when it
 * last did not fit.
 */
export function useRoom(columns: number): { readonly around: RefObject<HTMLDivElement | null>; readonly hasRoom: boolean } {
  const around = useRef<HTMLDivElement>(null)
  const [hasRoom, setHasRoom] = useState(true)
  useLayoutEffect(() => {
    const place = around.current
    const table = place?.querySelector('table')
    if (!place || !table) return undefined
    let neededPixels = readablePixels(columns)
    const look = () => {
      if (table.offsetWidth > place.clientWidth) neededPixels = Math.max(neededPixels, table.offsetWidth)
      setHasRoom(place.clientWidth >= neededPixels)
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(place)
    // The table is observed too, because its width changes with its rows.
    observer.observe(table)
    return () => observer.disconnect()
  }, [columns])
  return { around, hasRoom }
}
