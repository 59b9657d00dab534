import { useEffect, useState } from 'react'
import { useMe } from './me.ts'

const keyOf = (personId: string, form: string) => `makola.kept.${personId}.${form}`

/**
 * Fields of a form, which the browser keeps for the person until the sign-out. What was typed is still there after a reload, a
 * lost connection, an ended session or a restart.
 *
 * @returns the fields, and a function that changes some of them
 */
export function useSavedFields<Fields extends object>(
  form: string,
  initial: Fields,
): readonly [fields: Fields, change: (changed: Partial<Fields>) => void] {
  const key = keyOf(useMe().person.person_id, form)
  const [fields, setFields] = useState<Fields>(() => {
    return { ...initial, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Fields>) }
  })
  useEffect(() => localStorage.setItem(key, JSON.stringify(fields)), [key, fields])
  return [fields, (changed) => setFields((before) => ({ ...before, ...changed }))]
}

/** Fills the kept fields of a form, in place of what was typed there, before the form is opened. */
export function saveFields(personId: string, form: string, fields: object): void {
  localStorage.setItem(keyOf(personId, form), JSON.stringify(fields))
}

/** Returns a function that deletes the kept fields of a form, except some. An open form shows them until it is opened again. */
export function useDeleteSavedFields(): (form: string, except: readonly string[]) => void {
  const { person_id: personId } = useMe().person
  return (form, except) => {
    const key = keyOf(personId, form)
    const kept = Object.entries(JSON.parse(localStorage.getItem(key) ?? '{}') as object)
    localStorage.setItem(key, JSON.stringify(Object.fromEntries(kept.filter(([name]) => except.includes(name)))))
  }
}
