/** A loosening that nobody else could confirm takes effect after this time. */
export const ripeHours = 24
