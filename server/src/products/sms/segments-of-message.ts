import { sql } from 'kysely'

/** Segments of a message, in a statement over `sms_campaigns as campaign` and `sms_messages as message`. */
export const segmentsOfMessage = sql<number>`coalesce(campaign.segments_of_each[message.n], campaign.segments)`
