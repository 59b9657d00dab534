import Type from 'typebox'
import { defineSetting } from '../platform/settings/settings.ts'

/** An order that waits longer for our own mistake to be mended fails (decision S12b). */
export const platformPatience = defineSetting({
  name: 'platform_patience',
  schema: Type.Integer({ minimum: 1, maximum: 10_080 }),
  defaultValue: 30,
  allowed: 'a whole number of minutes from 1 to 10080',
  help: 'Minutes that an order waits for a mistake of ours (a wrong package code, refused credentials) to be mended, before it fails. Where failed orders are refunded by themselves, its money goes back at once.',
  unit: 'minutes',
})

export const ordersSettings = [platformPatience]
