/** A line with this word repeats an earlier line, or an earlier purchase, on purpose. */
export const repeatWord = 'again'
