/** The content type of an answer that goes on until the client disconnects (server-sent events). */
export const eventStreamType = 'text/event-stream'
