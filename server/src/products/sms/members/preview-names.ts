import type { SmsDeps } from '../campaigns/send-campaign.ts'
import { smsSegmentRule } from '../sms.settings.ts'
import { chooseNames, fillInName, fillInNames } from '../text/fill-in-names.ts'
import type { CleanedRecipients } from '../text/read-contact-lines.ts'
import { recipientsMax } from '../text/read-recipients.ts'
import { findNames } from './send-from-app.ts'

/** The most texts that the preview shows. */
const shownMax = 3

/** Shown before paying for a text with `{name}`: its segments, and the first texts with their names. */
type NamesPreview = {
  /** How many numbers have no name. */
  readonly unnamed: number
  /** Segments of all texts; null while a number has neither name nor fallback. */
  readonly credits: number | null
  /** Segments of the shortest and of the longest text. */
  readonly segmentsMin: number
  readonly segmentsMax: number
  /** The first texts as they will be sent. */
  readonly first: { readonly number: string; readonly text: string }[]
}

/**
 * Fills in the names as a send does, so that the price cannot differ.
 * @returns undefined when the text has no `{name}`, or there are no numbers, or too many for one campaign
 */
export async function previewNames(
  deps: SmsDeps,
  campaign: Parameters<typeof findNames>[1],
  { recipients, names }: Pick<CleanedRecipients, 'recipients' | 'names'>,
): Promise<NamesPreview | undefined> {
  if (recipients.length === 0 || recipients.length > recipientsMax) return undefined
  const source = await findNames(deps, campaign, { recipients, names })
  if (!source) return undefined
  const { message } = campaign
  const { unnamed, words } = chooseNames(message, recipients, source)
  const known = words.filter((word) => word !== undefined)
  const first = recipients.flatMap((recipient, index) => {
    const word = words[index]
    return word === undefined ? [] : [{ number: `0${recipient.slice(3)}`, text: fillInName(message, word) }]
  })
  if (known.length === 0) return { unnamed, credits: null, segmentsMin: 0, segmentsMax: 0, first: [] }
  const { segments } = await fillInNames(message, known, await deps.settings.read(smsSegmentRule))
  return {
    unnamed,
    credits: known.length < words.length ? null : segments.reduce((sum, each) => sum + each, 0),
    segmentsMin: segments.reduce((least, each) => Math.min(least, each)),
    segmentsMax: segments.reduce((most, each) => Math.max(most, each)),
    first: first.slice(0, shownMax),
  }
}
