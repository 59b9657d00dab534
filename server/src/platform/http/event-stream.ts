/** The content type of an answer that goes on as long as somebody listens (server-sent events). */
export const eventStreamType = 'text/event-stream'
