import { api, post, requestData, type Schema } from '../../both/api/call-api.ts'
import type { operations } from '../../both/api/dashboard-api.d.ts'
import { useRead } from '../../both/api/use-read.ts'

export type GridPackage = Schema<'GridPackage'>
export type EditPreview = Schema<'PackageEditPreview'>
export type ChangedColumn = Schema<'ChangedColumn'>
export type PriceSet = Schema<'PriceSet'>
export type PriceSetView = Schema<'PriceSetView'>
export type PriceRole = keyof GridPackage['prices']

/** A change of the price list as the API takes it. */
export type PackageEdit = operations['deskPreviewPackages']['requestBody']['content']['application/json']

export const priceRoles: readonly PriceRole[] = ['customer', 'agent', 'dealer']

export function useGrid() {
  return useRead('packages', '/desk/api/packages')
}

/** Reads the effect of an edit now, or at a minute if one is given. */
export function askPreview(edit: PackageEdit, at: string | undefined, setId: string | undefined): Promise<EditPreview> {
  if (at === undefined) return post('/desk/api/packages/preview', edit)
  const body = { ...edit, effective_at: at, ...(setId !== undefined && { set_id: setId }) }
  return post('/desk/api/packages/preview-scheduled', body)
}

/** The request for the change that the preview showed. */
export type ConfirmedEdit = {
  readonly edit: PackageEdit
  readonly seen: string
  readonly isBelowCostAllowed: boolean
  readonly words: string
  /** The minute from which the change counts. Undefined: at once. */
  readonly at: string | undefined
  /** The set of scheduled prices to change, if any. */
  readonly setId: string | undefined
}

export async function doEdit({ edit, seen, isBelowCostAllowed, words, at, setId }: ConfirmedEdit): Promise<void> {
  const order = { ...edit, seen, is_below_cost_allowed: isBelowCostAllowed }
  if (at === undefined) {
    await post('/desk/api/packages/apply', { ...order, ...(words !== '' && { reason: words }) })
    return
  }
  const body = { ...order, effective_at: at, ...(words !== '' && { note: words }) }
  await requestData(() =>
    setId === undefined
      ? api.POST('/desk/api/packages/scheduled', { body })
      : api.PUT('/desk/api/packages/scheduled/{set_id}', { params: { path: { set_id: setId } }, body }),
  )
}

/** Turns a moment of the API into the text of a field for day and time. */
export const fieldOf = (moment: string): string => moment.slice(0, 16)
