/** With this word, a line repeats an earlier one, or an earlier purchase, on purpose. */
export const again = 'again'
