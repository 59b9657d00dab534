import { html, trusted } from '../platform/html.ts'
import type { Status } from './read-status.ts'
import { levelWords } from './status-page.ts'

/** `publicUrl` must stay the same, because feed readers recognise the feed by it. */
type FeedSource = { readonly publicUrl: string }

/** Writes the incidents as an Atom feed (RFC 4287). An entry is updated when its incident ends. */
export function writeStatusFeed({ incidents, readAt }: Status, { publicUrl }: FeedSource): string {
  const changes = incidents.map(({ shownFrom, overAt }) => overAt ?? shownFrom)
  // Without an incident, the beginning of the day, so that the feed's bytes do not change during the day.
  const day = new Date(`${readAt.toISOString().slice(0, 10)}T00:00:00Z`)
  const updated = new Date(Math.max(...changes.map(Number), changes.length === 0 ? day.getTime() : 0))
  return html`${trusted('<?xml version="1.0" encoding="utf-8"?>')}
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${publicUrl}/status</id>
<title>Makola status</title>
<author><name>Makola</name></author>
<updated>${updated.toISOString()}</updated>
<link rel="self" type="application/atom+xml" href="${publicUrl}/status.atom"/>
<link rel="alternate" type="text/html" href="${publicUrl}/status"/>
${incidents.map(
  ({ incidentId, level, message, shownFrom, overAt }) => html`<entry>
<id>urn:uuid:${incidentId}</id>
<title>${levelWords[level]}${overAt && ' (over)'}: ${message}</title>
<published>${shownFrom.toISOString()}</published>
<updated>${(overAt ?? shownFrom).toISOString()}</updated>
<link rel="alternate" type="text/html" href="${publicUrl}/status#incidents"/>
<content type="text">${message}</content>
</entry>
`,
)}</feed>
`.html
}
